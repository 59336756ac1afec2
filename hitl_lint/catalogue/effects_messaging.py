"""Mail, chat, telephony, queues, payments, tickets, calendars, cloud SDKs."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, read, safe

_IDEMPOTENT = "a stable idempotency key makes it safe to repeat"

ROWS = (
    # ------------------------------------------------------------------ mail
    effect("sends mail", """
        smtplib.{SMTP,SMTP_SSL,LMTP}().{sendmail,send_message} aiosmtplib.send aiosmtplib.SMTP().{sendmail,send_message,send}
        sendgrid.**.send sendgrid.SendGridAPIClient().client.mail.send.post resend.Emails.{send,send_async} resend.Batch.send
        resend.**.send postmarker.**.send mailgun.**.create mailjet_rest.**.create mailchimp_transactional.**.{send,send_template}
        mailchimp_marketing.**.{send,create} brevo_python.**.send_transac_email sib_api_v3_sdk.**.{send_transac_email,send_transac_sms}
        yagmail.SMTP().send redmail.**.send emails.**.send envelopes.**.send
        django.core.mail.{send_mail,send_mass_mail,mail_admins,mail_managers} django.core.mail.**.send
        flask_mail.Mail().{send,send_message} fastapi_mail.FastMail().send_message
        exchangelib.**.{send,send_and_save,reply,forward,reply_all} azure.communication.email.**.begin_send O365.**.{send,reply,forward}
        simplegmail.**.send_message ezgmail.{send,reply} mailersend.**.send agentmail.**.{send,reply} nylas.**.{send,create}
        customerio.**.send_email sparkpost.**.send novu.**.{trigger,trigger_bulk} onesignal_sdk.**.send_notification
        apprise.Apprise().notify pushbullet.**.push_note plyer.notification.notify
        langchain_google_community.gmail.**.GmailSendMessage().{invoke,run,ainvoke,arun}
        langchain_community.tools.gmail.**.GmailSendMessage().{invoke,run,ainvoke,arun}
        langchain_community.tools.**.{*Send*,*CreateDraft*,*Create*,*Post*,*Delete*,*Write*,*Move*,*Copy*,*Update*}().{invoke,run,ainvoke,
          arun} langchain_google_community.**.{*Send*,*CreateDraft*,*Create*,*Update*,*Move*}().{invoke,run,ainvoke,arun}
        """, condition="idempotency", reason=_IDEMPOTENT),
    effect("moves or flags mail", """
        imaplib.**.{store,copy,append,expunge} imap_tools.**.{move,delete,flag,copy,append}
        imapclient.**.{move,copy,append,add_flags,delete_messages,expunge}
        """),
    read("reads mail", "imaplib.** imap_tools.** imapclient.** poplib.** exchangelib.**.{filter,all,get}"),
    safe("prepares mail", """
        smtplib.** aiosmtplib.** sendgrid.** resend.** yagmail.** email.** flask_mail.** fastapi_mail.** exchangelib.**
        django.core.mail.** O365.**
        """),
    # ------------------------------------------------------------------ telephony
    effect("sends a text message or calls", """
        twilio.rest.Client().{messages,calls,conversations,verify}.**.create twilio.rest.Client().{messages,calls}.create
        twilio.rest.**.create vonage.**.{send,send_message,create_call,sms.send_message} nexmo.**.send_message
        messagebird.**.message_create plivo.**.create telnyx.**.create africastalking.**.send clicksend_client.**.sms_send_post
        pywhatkit.sendwhatmsg azure.communication.{sms,callautomation,chat}.**.{send,send_message,create_call}
        azure.communication.sms.SmsClient().send
        """, condition="idempotency", reason=_IDEMPOTENT),
    read("reads a telephony account", "twilio.rest.**.{list,fetch,stream} twilio.rest.**"),
    # ------------------------------------------------------------------ chat platforms
    effect("posts to Slack", """
        slack_sdk.**.{chat_postMessage,chat_postEphemeral,chat_scheduleMessage,chat_meMessage,files_upload,files_upload_v2,
          files_remote_add,files_remote_share,conversations_create,conversations_invite,conversations_open,conversations_archive,
          conversations_kick,conversations_rename,conversations_setTopic,reminders_add,pins_add,dialog_open,views_open,views_push,
          usergroups_create,api_call,send,send_dict} slack_bolt.**.{say,respond} slack.**.{chat_postMessage,files_upload,api_call}
        slackclient.**.api_call
        """),
    safe("marks on Slack", """
        slack_sdk.**.{chat_update,chat_delete,views_publish,views_update,users_profile_set,reactions_add,reactions_remove,
          conversations_join,conversations_mark,conversations_leave,conversations_setPurpose}
        """, reason="sets a fixed text or mark"),
    read("reads Slack", "slack_sdk.** slack_bolt.**"),
    effect("posts to a chat", """
        discord.**.{send,reply,send_message,create_thread,create_text_channel,create_role,followup.send,create_invite,publish}
        discord_webhook.**.execute nextcord.**.{send,reply} disnake.**.{send,reply}
        telegram.**.{send_*,reply_*,forward_message,copy_message,answer} telebot.**.{send_*,reply_to,forward_message}
        aiogram.**.{send_*,answer,answer_*,reply,reply_*,forward} pyrogram.**.{send_*,reply,reply_text,forward}
        telethon.**.{send_message,send_file,respond,reply,forward_messages} matrix_client.**.{send_text,send_notice} nio.**.room_send
        mattermostdriver.**.create_post zulip.**.send_message rocketchat_API.**.chat_post_message webexteamssdk.**.create
        webexpythonsdk.**.create pymsteams.**.send botbuilder.**.{send_activity,send_activities,reply_to_activity}
        linebot.**.{push_message,reply_message,multicast,broadcast} lark_oapi.**.{create,reply,acreate,areply}
        wechatpy.**.{send_text,send_image,send_template} itchat.send viberbot.**.send_messages
        tweepy.**.{create_tweet,update_status,send_direct_message,create_direct_message,retweet,media_upload}
        praw.**.{submit,reply,upvote,crosspost,message,submit_image} atproto.**.{send_post,send_image,post}
        mastodon.**.{status_post,toot,media_post} instagrapi.**.{photo_upload,direct_send}
        """),
    safe("edits a chat", """
        discord.**.{edit,add_roles,remove_roles,kick,ban,add_reaction}
        telegram.**.{edit_message_text,pin_chat_message,edit_message_reply_markup} telebot.**.edit_message_text
        aiogram.**.{edit_text,edit_message_text}
        """, reason="sets a fixed text or mark"),
    # ------------------------------------------------------------------ queues and tasks
    effect("publishes a message", """
        kafka.**.{send,send_and_wait} confluent_kafka.**.produce aiokafka.**.{send,send_and_wait} pika.**.basic_publish
        aio_pika.**.publish kombu.**.publish nats.**.{publish,request} google.cloud.pubsub_v1.**.publish google.cloud.pubsub.**.publish
        pulsar.**.{send,send_async} zmq.**.{send,send_string,send_json,send_pyobj,send_multipart} paho.mqtt.**.publish aiomqtt.**.publish
        asyncio_mqtt.**.publish stomp.**.send azure.servicebus.**.{send_messages,schedule_messages}
        azure.eventhub.**.{send_batch,send_event} azure.storage.queue.**.send_message azure.eventgrid.**.send ably.**.publish
        pusher.**.trigger pubnub.**.publish socketio.**.{emit,send} faststream.**.publish
        dapr.**.{publish_event,invoke_binding,invoke_method,raise_workflow_event,schedule_new_workflow} inngest.**.{send,send_sync}
        """, condition="idempotency", reason=_IDEMPOTENT),
    effect("takes a message", """
        pika.**.{basic_get,basic_consume} google.cloud.pubsub_v1.**.{pull,acknowledge}
        azure.servicebus.**.{receive_messages,complete_message}
        """),
    read("reads a queue", "kafka.**.{poll,get} confluent_kafka.**.{poll,consume} aiokafka.**.{getone,getmany} nats.**.{fetch,subscribe}"),
    effect("queues a task", """
        celery.**.{delay,apply_async,send_task} celery.{group,chord,chain}()()
        rq.**.{enqueue,enqueue_call,enqueue_at,enqueue_in,enqueue_many} arq.**.enqueue_job dramatiq.**.{send,send_with_options}
        taskiq.**.kiq apscheduler.**.{add_job,scheduled_job} google.cloud.tasks_v2.**.create_task google.cloud.scheduler_v1.**.create_job
        procrastinate.**.{defer,defer_async} saq.**.enqueue django_q.tasks.async_task fastapi.BackgroundTasks().add_task
        starlette.background.BackgroundTasks().add_task qstash.**.{publish,publish_json,enqueue,enqueue_json} ray.**.remote
        """, condition="idempotency", reason=_IDEMPOTENT),
    safe("works with queues", """
        kafka.** confluent_kafka.** aiokafka.** pika.** aio_pika.** kombu.** nats.** celery.** rq.** arq.** dramatiq.** huey.** taskiq.**
        apscheduler.** google.cloud.pubsub_v1.** google.cloud.pubsub.** paho.** zmq.** azure.servicebus.** azure.eventhub.** socketio.**
        faststream.** inngest.** schedule.**
        """),
    # ------------------------------------------------------------------ payments
    effect("moves money", """
        stripe.**.{create,create_async,capture,capture_async,confirm,confirm_async,refund,pay,pay_async,finalize_invoice,
          finalize_invoice_async,send_invoice,cancel,cancel_async,void_invoice,reverse,create_reversal,create_usage_record,
          create_balance_transaction,create_source} paypalrestsdk.**.{create,execute,refund,capture,authorize}
        paypalcheckoutsdk.**.execute paypalhttp.**.execute braintree.**.{sale,refund,submit_for_settlement,void,create,credit}
        square.**.{create_payment,refund_payment,create_order,create_customer,create,refund,complete,cancel}
        Adyen.**.{payments,refunds,captures,cancels} razorpay.**.{create,capture,refund,transfer} mollie.**.create
        gocardless_pro.**.create plaid.**.{transfer_create,payment_initiation_payment_create,transfer_authorization_create}
        checkout_sdk.**.{request_payment,refund_payment,capture_payment,void_payment}
        xero_python.**.{create_invoices,create_payment,create_payments,create_contacts} quickbooks.**.{save,send}
        chargebee.**.{create,charge,refund,cancel} recurly.**.{create_account,create_purchase,create_invoice,create_subscription}
        """, condition="idempotency", reason=_IDEMPOTENT),
    effect("sends a transaction", """
        web3.**.{send_transaction,send_raw_transaction,transact} solana.**.{send_transaction,send_raw_transaction,request_airdrop}
        xrpl.**.{submit,submit_and_wait} tronpy.**.broadcast algosdk.**.send_transaction bitcoinlib.**.{send,send_to}
        cdp.**.{transfer,trade,invoke_contract,faucet,send_transaction,deploy_token}
        """),
    effect("places an order", """
        alpaca.trading.**.{submit_order,close_position,close_all_positions,cancel_order_by_id,replace_order_by_id}
        alpaca_trade_api.**.{submit_order,close_position,cancel_order}
        ccxt.**.{create_order,create_market_order,create_limit_order,create_market_buy_order,create_market_sell_order,
          create_limit_buy_order,create_limit_sell_order,cancel_order,withdraw,transfer,edit_order}
        {ib_insync,ib_async}.**.{placeOrder,cancelOrder} robin_stocks.**.{order_*,cancel_*,withdraw_*,deposit_*}
        kiteconnect.**.{place_order,modify_order,cancel_order} MetaTrader5.order_send tda.**.place_order schwab.**.place_order
        binance.**.{create_order,order_market_buy,order_market_sell,order_limit_buy,order_limit_sell,new_order,futures_create_order,
          withdraw,cancel_order}
        coinbase.**.{create_order,market_order_buy,market_order_sell,limit_order_gtc_buy,limit_order_gtc_sell,cancel_orders}
        shopify.**.{save,create,fulfill,cancel,refund} woocommerce.API().post easypost.**.{create,buy,refund} shippo.**.create
        amadeus.Client().**.post duffel_api.**.{create,execute}
        """, condition="idempotency", reason=_IDEMPOTENT),
    effect("sends a document to sign", """
        docusign_esign.**.create_envelope hellosign_sdk.**.send_signature_request dropbox_sign.**.signature_request_send
        pandadoc_client.**.{create_document,send_document}
        """),
    safe("changes an object of the payment provider to fixed values", """
        stripe.**.{modify,modify_async,update,update_async,delete,delete_async}
        """, reason="sets a fixed value"),
    read("reads an account", """
        stripe.** paypalrestsdk.** braintree.** square.** plaid.** razorpay.** web3.** solana.** ccxt.** alpaca.trading.**
        alpaca_trade_api.** binance.** coinbase.** ib_insync.** robin_stocks.** shopify.** cdp.** kiteconnect.**
        """),
    construct("makes a client", """
        stripe.{StripeClient,StripeObject,error} web3.Web3 ccxt.* alpaca.trading.client.TradingClient alpaca.trading.requests.*
        alpaca.trading.enums.* binance.client.Client square.Square
        """),
    safe("computes", """
        eth_account.** web3.Web3.{to_wei,from_wei,to_checksum_address,keccak,to_hex} web3.Web3().{to_wei,from_wei}
        stripe.Webhook.construct_event
        """, reason="computed from its arguments"),
    # ------------------------------------------------------------------ Google
    effect("changes something at Google", """
        googleapiclient.discovery.build*.**.{send,insert,create,append,batchUpdate,copy,move,import_,quickAdd,submit,publish,start,run,
          acknowledge,transfer}().execute
        """, condition="idempotency", reason=_IDEMPOTENT),
    safe("sets fixed values at Google", """
        googleapiclient.discovery.build*.**.{update,patch,delete,modify,batchDelete,batchModify,trash,untrash,stop,watch,clear}().execute
        googleapiclient.discovery.build*.**.values().batchUpdate().execute
        """, reason="sets a fixed value, or deletes"),
    read("reads from Google", "googleapiclient.discovery.build*.**.execute"),
    safe("prepares a Google request", """
        googleapiclient.** google.oauth2.** google.auth.** google_auth_oauthlib.** google.protobuf.** google.api_core.**
        google.cloud.exceptions.**
        """),
    effect("changes a spreadsheet", """
        gspread.**.{append_row,append_rows,insert_row,insert_rows,insert_cols,add_worksheet,add_rows,add_cols,create,copy,share,
          delete_rows,delete_columns,duplicate_sheet,duplicate,import_csv,values_append}
        pygsheets.**.{append_table,insert_rows,insert_cols,add_worksheet,create,share}
        """),
    safe("sets cells", """
        gspread.**.{update,update_cell,update_cells,update_acell,batch_update,batch_clear,format,freeze,values_update,update_title,resize}
        pygsheets.**.{update_value,update_values,set_dataframe}
        """, reason="sets fixed values"),
    read("reads a spreadsheet", "gspread.** pygsheets.** ezsheets.**"),
    effect("uploads to cloud storage", """
        google.cloud.storage.**.{compose,rewrite,create_bucket,copy_blob,rename_blob} google.cloud.storage.Client().create_bucket
        """, reason="the second run raises or makes one more"),
    safe("puts an object", """
        google.cloud.storage.**.{upload_from_string,upload_from_file,upload_from_filename,delete,patch,update,make_public}
        boto3.client('s3').{upload_file,upload_fileobj,delete_object,delete_objects,put_bucket_*,copy_object,copy,put_object_acl,
          put_object_tagging} boto3.**.Bucket().{upload_file,upload_fileobj} boto3.**.Object().{put,upload_file,upload_fileobj,delete}
        azure.storage.blob.**.{delete_blob,set_blob_metadata} minio.Minio().{remove_object,copy_object}
        """, reason="put by key"),
    safe("puts an object", """
        boto3.client('s3').put_object boto3.client().put_object boto3.**.Bucket().put_object
        """, condition="stable:9:Key", reason="put by key; a key made anew in every run is one more"),
    safe("puts an object", "minio.Minio().{put_object,fput_object}", condition="stable:1:object_name", reason="put by key"),
    effect("uploads a blob", """
        azure.storage.blob.**.{upload_blob,create_container,start_copy_from_url,append_block}
        """, condition="flag:9:overwrite", reason="with overwrite=True it is a put; without, the second run raises"),
    read("reads cloud storage", """
        google.cloud.storage.** azure.storage.blob.** azure.storage.** minio.**
        boto3.client('s3').{get_object,head_object,list_objects,list_objects_v2,download_file,download_fileobj,list_buckets,
          generate_presigned_url,generate_presigned_post,get_paginator}
        """),
    # ------------------------------------------------------------------ AWS
    effect("sends mail", """
        boto3.client('ses').{send_email,send_raw_email,send_templated_email,send_bulk_templated_email}
        boto3.client('sesv2').{send_email,send_bulk_email} boto3.client*.{send_email,send_raw_email,send_templated_email,send_bulk_email}
        boto3.client('pinpoint').{send_messages,send_users_messages} boto3.client('pinpoint-sms-voice-v2').send_text_message
        """),
    effect("publishes a message", """
        boto3.client('sns').{publish,publish_batch} boto3.client('sqs').{send_message,send_message_batch}
        boto3.client('events').put_events boto3.client('kinesis').{put_record,put_records}
        boto3.client('firehose').{put_record,put_record_batch}
        boto3.client*.{publish,send_message,send_message_batch,put_events,put_record,put_records} boto3.**.Queue().send_message
        boto3.**.get_queue_by_name().send_message boto3.**.Topic().publish boto3.client('iot-data').publish
        """, condition="idempotency", reason=_IDEMPOTENT),
    effect("runs a Lambda", """
        boto3.client('lambda').{invoke,invoke_async} boto3.client('stepfunctions').{start_execution,send_task_success,send_task_failure}
        boto3.client('batch').submit_job boto3.client('ecs').run_task boto3.client('glue').start_job_run
        boto3.client('codebuild').start_build boto3.client('codepipeline').start_pipeline_execution boto3.client('ssm').send_command
        boto3.client('athena').start_query_execution boto3.client('states').start_execution
        boto3.client('connect').start_outbound_voice_contact
        """, condition="idempotency", reason=_IDEMPOTENT),
    effect("changes something at AWS", """
        boto3.client*.{create_*,run_*,start_*,reboot_*,register_*,authorize_*,allocate_*,send_*,invoke*,submit_*,copy_*,restore_*,
          purchase_*,execute_*,import_*,reset_*,rotate_*,admin_create_*,admin_reset_*,sign_up}
        boto3.resource*.**.{create_*,create,start,reboot,copy_from,send_messages}
        """, condition="idempotency", reason=_IDEMPOTENT),
    safe("sets something at AWS", """
        boto3.client*.{put_*,delete_*,tag_*,untag_*,set_*,update_*,modify_*,attach_*,detach_*,enable_*,disable_*,stop_*,terminate_*,
          associate_*,disassociate_*,add_*,remove_*,deregister_*,release_*,cancel_*,revoke_*,admin_*,change_*}
        boto3.resource*.**.{delete,stop,terminate,attach_*,detach_*,modify_*,put,update,delete_*}
        """, reason="names what it changes: done twice is done once"),
    read("runs SQL", """
        boto3.client('rds-data').{execute_statement,batch_execute_statement} boto3.client('redshift-data').execute_statement
        """, condition="sql:9"),
    read("reads from AWS", """
        boto3.client*.{get_*,list_*,describe_*,head_*,search_*,scan,query,select_*,lookup_*,batch_get_*,retrieve,detect_*,receive_message,
          download_*,generate_presigned_*,can_paginate,get_paginator,get_waiter,filter_log_events,assume_role,estimate_*,validate_*,
          analyze_*,recognize_*,translate_text,compare_faces,simulate_*} boto3.resource*.** boto3.client*.**
        """),
    construct("makes an AWS client", """
        boto3.{client,resource} boto3.{client,resource}('*') boto3.** botocore.** aiobotocore.** aioboto3.** s3transfer.**
        """),
    # ------------------------------------------------------------------ Microsoft
    effect("changes something at Microsoft", """
        msgraph.**.{post,patch,send_mail.post,reply.post,forward.post} azure.devops.**.{create_*,update_*,add_*,queue_build,run_pipeline}
        azure.mgmt.**.{begin_create,begin_start,begin_restart,begin_power_off,begin_deallocate}
        atlassian.**.{create_*,add_*,issue_create,issue_add_comment,append_page,attach_*,issue_transition,set_issue_status}
        """),
    safe("creates or updates by name", """
        azure.mgmt.**.{begin_create_or_update,create_or_update,begin_delete,delete}
        atlassian.**.{update_page,update_or_create,update_issue_field,remove_page,delete_issue,set_page_property}
        """, reason="by name: safe to repeat"),
    read("reads from Microsoft", """
        msgraph.** azure.devops.** azure.mgmt.** atlassian.** azure.identity.** msal.** azure.core.**
        azure.search.documents.**.{search,get_document,get_document_count} azure.ai.**
        """),
    safe("uploads documents by key", """
        azure.search.documents.**.{upload_documents,merge_or_upload_documents,merge_documents,delete_documents}
        """, reason="by key"),
    # ------------------------------------------------------------------ tickets, documents, CRM
    effect("creates a page", "notion_client.**.{pages.create,databases.create,comments.create,append} confluence.**.create_page"),
    effect("changes a ticket", """
        jira.**.{create_issue,create_issues,add_comment,transition_issue,add_attachment,create_issue_link,add_worklog,create_project,
          create_version} trello.**.{add_card,add_list,add_board,comment,add_checklist,create_label} asana.**.{create_task,create_*,add_*}
        todoist_api_python.**.{add_task,add_project,add_comment,add_section} zenpy.**.{create,merge} pysnow.**.create
        pdpyras.**.{trigger,rpost,post} pagerduty.**.{trigger,rpost,post} opsgenie_sdk.**.create_alert linear_api.**.create_*
        """),
    effect("changes a repository", """
        github.**.{create_*,merge,fork} ghapi.**.{create,create_*,merge} gitlab.**.{create,merge,play,retry}
        githubkit.**.{create,async_create,create_comment,async_create_comment}
        """),
    effect("creates a record", """
        simple_salesforce.**.{create,insert} hubspot.**.{create,send} pipedrive.**.{create_*,add_*} odoorpc.**.create
        frappeclient.**.insert
        """),
    effect("creates an event", """
        caldav.**.{save_event,add_event,save_todo,add_todo} gcsa.**.{add_event,add_quick_event,move_event,import_event}
        livekit.**.{create_room,create_dispatch,send_data,create_sip_participant}
        """),
    effect("uploads a file", """
        dropbox.**.{files_upload,files_create_folder_v2,files_move_v2,files_copy_v2,sharing_create_shared_link_with_settings}
        boxsdk.**.{upload,create_subfolder,copy,move} {pydrive,pydrive2}.**.{Upload,Copy} cloudinary.uploader.{upload,rename}
        webdav3.**.{upload_sync,mkdir}
        """),
    effect("changes infrastructure", """
        cloudflare.**.{create,post} pulumi.automation.**.{up,destroy} python_terraform.**.{apply,destroy} linode_api4.**.create
        hcloud.**.create openstack.**.{create_*,delete_*} ansible_runner.{run,run_async} ldap3.**.{add,modify,delete,modify_dn}
        okta.**.{create_*,activate_*,deactivate_*} auth0.**.{create,create_*} keycloak.**.{create_*,send_*}
        homeassistant_api.**.trigger_service spotipy.**.{playlist_add_items,user_playlist_create,start_playback,add_to_queue}
        """),
    effect("calls a remote procedure", """
        zeep.Client().service.* xmlrpc.client.ServerProxy().*
        """, reason="what it does is unknown, but it is done twice"),
    safe("changes to fixed values at a service", """
        notion_client.**.{pages.update,blocks.update,databases.update,blocks.delete} jira.**.{update,delete,assign_issue,add_watcher}
        github.**.{edit,add_to_labels,remove_from_labels,set_labels,add_to_collaborators,delete,set_*,create_review_request}
        gitlab.**.{save,delete,protect} simple_salesforce.**.{update,upsert,delete} hubspot.**.{update,archive}
        dropbox.**.{files_delete_v2} caldav.**.{save,delete} gcsa.**.{update_event,delete_event}
        """, reason="sets a fixed value"),
    read("reads from a service", """
        notion_client.** jira.** github.** ghapi.** githubkit.** gitlab.** trello.** asana.** todoist_api_python.** zenpy.**
        simple_salesforce.** hubspot.** pipedrive.** dropbox.** boxsdk.** caldav.** gcsa.** spotipy.** discord.** telegram.** tweepy.**
        praw.** ldap3.** okta.** auth0.** keycloak.** pdpyras.** cloudflare.** linear_api.**
        """),
    effect("runs an automation", "databricks.sdk.**.{run_now,submit,create}"),
    read("runs SQL", "databricks.sdk.**.execute_statement", condition="sql:9"),
    read("reads a workspace", "databricks.sdk.**"),
)

ALIASES = {
    "smtplib.SMTP_SSL": "smtplib.SMTP",
    "boto3.Session()": "boto3",
    "boto3.session.Session()": "boto3",
    "aioboto3.Session()": "boto3",
    "aioboto3.session.Session()": "boto3",
    "aiobotocore.session.{get_session,AioSession}()": "boto3",
    "slack_sdk.web.async_client.AsyncWebClient": "slack_sdk.WebClient",
    "slack_sdk.web.WebClient": "slack_sdk.WebClient",
    "apiclient.discovery.build": "googleapiclient.discovery.build",
    "twilio.rest.TwilioClient": "twilio.rest.Client",
    "langchain_google_community.gmail.utils.build_resource_service()": "googleapiclient.discovery.build('gmail')",
    "langchain_community.tools.gmail.utils.build_resource_service()": "googleapiclient.discovery.build('gmail')",
    "langchain_google_community._utils.get_google_credentials": "google.oauth2.credentials",
    "discord.ext.commands.Bot": "discord.Client",
}
RETURNS = {
    **{f"boto3.create_client({key})": f"boto3.client({key})" for key in ("", "'s3'", "'sqs'", "'sns'", "'ses'", "'dynamodb'", "'lambda'")},
    "celery.Celery().task()": "celery.Task()",
    "celery.shared_task()": "celery.Task()",
}
# The service's name is kept in the path.
KEYED = frozenset({
    "boto3.client", "boto3.resource", "boto3.create_client", "botocore.session.get_session().create_client",
    "googleapiclient.discovery.build", "apiclient.discovery.build",
})
