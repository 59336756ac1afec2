"""Names as evidence: what is believed, and what is not."""

from __future__ import annotations

import pytest

from hitl_lint.catalogue import verbs

# Names that say that something happens outside.
EFFECTS = """
    send_email sendMail send_mail send_sms send_message send_slack_message send_notification send_invoice send_report
    send_confirmation_email send_to_slack send_alert send_reminder send_webhook asend_email _send_email async_send_email
    send_whatsapp_message send_approval_request db.save self.db.save db.create_audit_log db.append_to_history db.insert db.update
    db.delete db.create mailer.send self.mailer.send email_service.send notifier.notify notify_user notify_team notify_slack
    notify_customer notify bus.publish event_bus.publish publish_post publish_article publish_event publish charge_card charge
    charge_customer payments.charge pay_invoice pay_bill refund refund_order issue_refund process_payment execute_payment make_payment
    process_refund execute_trade place_order submit_order submit_application transfer_funds transfer_money bank.transfer create_ticket
    create_issue createIssue create_user create_order create_invoice create_event create_calendar_event create_refund create_record
    create_jira_ticket create_pull_request create_customer calendar.create_event api.create_ticket client.create_order insert_row
    insert_record insert_user insert_into_db save_report save_to_db save_to_database save_draft save_file save_user save_order repo.save
    user_repo.save order.save write_file write_to_file write_to_disk write_csv write_json write_row write_record write_audit_entry
    append_row append_to_file append_row_to_sheet sheet.append_row update_order update_record update_customer update_user update_inventory
    update_database update_crm crm.update update_ticket delete_user delete_file delete_record delete_order delete_account remove_user
    remove_file remove_from_cart cancel_order cancel_subscription cancel_booking book_flight book_hotel book_appointment book_table
    book_meeting deploy deploy_service deploy_to_production trigger_deploy trigger_webhook trigger_pipeline enqueue enqueue_job
    queue.enqueue_job upload_file upload_to_s3 upload_document provision_server provision grant_access revoke_access grant_permission
    email_customer email_user post_tweet post_to_slack post_comment post_message slack.post client.post requests.post session.post
    record_payment record_usage record_sale emit_invoice schedule_meeting initiate_transfer dispatch_email bulk_insert_rows
    send_email.delay send_email_task.delay send_email_tool.invoke send_email.ainvoke process_order.delay charge_customer.apply_async
    prisma.user.create supabase.insert collection.insert orders.create users_repo.delete tickets_client.create ledger.append
    self.notifier.send self.client.post post_order svc.post_order api.post_orders post_purchase_order post_review post_data post_content
    svc.append gateway.append erp_connector.append svc.create_event drive.create_document store.create_documents
    """.split()

# Names that say nothing of the kind, although a verb or a part of one is in them.
NO_EFFECTS = """
    messages.append results.append state.update d.pop parts.insert seen.remove seen.add items.append data.update out.append lines.append
    self.results.append self.history.append errors.append tool_calls.append stack.append queue.append context.update config.update
    params.update kwargs.update hasher.update h.update progress.update pbar.update counter.update payload.update metadata.update
    logger.info log.warning logging.error self.logger.debug logger.send span.add_event span.record_exception span.set_attribute
    tracer.start_span metrics.increment statsd.incr writer stream_writer writer.write console.print print pprint post_process
    post_processing post_process_results postprocess post_model_hook post_init post_validate post_call create_prompt create_agent
    create_react_agent create_llm create_model create_client create_chain create_graph create_engine create_session create_retriever
    create_parser create_message create_task create_config create_state create_initial_state create_embedding create_tool create_tools
    create_vectorstore create_access_token create_summary create_response create_payload create_support_agent create_chat_model make_agent
    make_llm make_prompt create_supervisor create_workflow create_node create_logger asyncio.create_task loop.create_task executor.submit
    pool.submit self.executor.submit tg.create_task upsert_user db.upsert db.upsert_user get_or_create create_or_update update_or_create
    create_if_not_exists insert_or_ignore ensure_user ensure_index merge_records put_item store.put set_value redis.set cache.set
    cache.delete save_state save_to_state save_checkpoint update_state graph.update_state update_messages update_context update_progress
    update_status update_metadata update_plan remove_duplicates remove_prefix remove_whitespace remove_stopwords remove_html_tags
    remove_thinking_tags remove_none_values delete_messages remove_messages removeprefix insert_newlines append_message append_text
    append_to_messages write_essay write_summary write_response write_email write_report write_code write_draft record_interrupt
    record_metric record_event record_trace record_span emit_event emit_log emit_progress emit_metric emit_interrupt recorder.record
    emitter.emit socketio.emit send_progress send_heartbeat send_chunk send_token websocket.send ws.send_json websocket.send_json
    conn.send Send SendEmail SendEmailTool EmailSender CreateUser Command Interrupt HumanMessage transfer_to_agent transfer_to_billing
    transfer_to_human transfer_back_to_supervisor book_title book_search email_agent email_node email_body email_template email_validator
    payload_builder paymentsList posts_by_user user_created updated_at sender sending created format_email format_report parse_email
    build_email build_message validate_email get_email is_sent has_sent to_dict from_dict task.cancel future.cancel timer.cancel
    cancel_task cancel_all_tasks condition.notify event.set f.write file.write sys.stdout.write generator.send gen.send User.create
    Order.create Agent.create client.delete session.delete trigger_interrupt trigger_human_review request_approval ask_user
    wait_for_approval prompt_user collect_feedback submit_answer update insert create append delete write send_email_once emit_once
    splitter.create_documents text_splitter.create_documents self.chunker.create_nodes tokenizer.save_vocabulary markdown_splitter.create_docs
    dry_run_send get_llm load_prompt model.invoke llm.invoke chain.invoke chat.completions.create client.chat.completions.create
    client.messages.create client.responses.create node.update df.append np.append os.remove_dir_name records.append db_failures.append
    order.append order.remove user_texts.append api_response.update self._records.append store_list.append producer.cancel
    remove_restart_callback delete_method update_failure_metrics handle_write_error write_log _write_abort_log submit_query notify_all
    notify_each _remove_tool_calls remove_up_to_last_ai_message create_storage create_backend create_tracer create_subagents
    record_from_store record_to_ref record_diagnostics setdefault.append x.setdefault.append insert_section create_table create_url
    post_title post_type svc.post_process post_process_order db.create_session svc.create_session db.create_chat_session
    self.db.create_session client.create_agent_session db.create_task api.create_message items.append trail.append service_results.append
    create_id create_uuid create_path create_filename create_markdown create_html app.include_router router.post builder.add_node
    workflow.add_edge graph.compile delete_none_values remove_columns remove_keys
    """.split()


@pytest.mark.parametrize("name", EFFECTS)
def test_a_name_that_says_it_acts_is_believed(name: str) -> None:
    assert verbs.named_effect(name.split(".")), name


@pytest.mark.parametrize("name", [n for n in NO_EFFECTS if n not in ("router.post", "os.remove_dir_name")])
def test_a_name_that_only_sounds_like_acting_is_not_believed(name: str) -> None:
    assert verbs.named_effect(name.split(".")) is None, name


MODELS = """
    llm.invoke llm.ainvoke self.llm.invoke model.invoke model.ainvoke chain.invoke chain.stream llm_with_tools.invoke
    structured_llm.invoke model_with_tools.ainvoke router_chain.invoke self.model.astream llm.predict llm.generate chain.run
    model_runnable.ainvoke planner_llm.ainvoke chat_model.invoke client.chat.completions.create openai.chat.completions.create
    client.messages.create client.responses.create client.embeddings.create client.models.generate_content call_llm invoke_llm ask_llm
    run_llm llm_call stream_llm_response _choose_route_with_llm call_model ask_model query_model call_openai ask_gpt query_claude
    call_gemini chat_completion create_chat_completion get_chat_completion generate_response generate_email generate_summary
    generate_report generate_plan generate_sql draft_email draft_reply draft_response summarize_text summarize_document
    summarize_conversation generate_answer get_llm_response acall_llm agenerate_response llm.astream_events gpt.complete claude.chat
    callLLM generateText
    """.split()
NO_MODELS = """
    get_llm create_llm build_llm load_llm make_llm get_llm_client llm_config llm_client get_llm_config is_llm_enabled parse_llm_response
    format_llm_prompt count_llm_tokens llm.bind_tools llm.with_structured_output model.model_dump data_model.save model_dump
    model_validate init_chat_model get_model load_chat_model ask_user ask_human query_database call_api call_tool generate_id
    generate_uuid generate_token generate_pdf generate_report_id generate_filename draft_id summarize_prompt graph.invoke agent.invoke
    tool.invoke retriever.invoke subgraph.ainvoke blockchain.call supply_chain.query parse_completion build_chat_prompt ChatOpenAI
    LLMChain LLM.from_config llm_factory validate_llm_output log_llm_call chain.get_prompts model.fit model.eval model.parameters generate
    generate_key draft summary get_summary call ask query prompt run invoke create_message text_to_speech autocomplete completion_rate
    """.split()


@pytest.mark.parametrize("name", MODELS)
def test_a_name_that_says_it_asks_a_model_is_believed(name: str) -> None:
    assert verbs.named_model(name.split(".")), name


@pytest.mark.parametrize("name", NO_MODELS)
def test_a_name_about_a_model_is_no_call_of_it(name: str) -> None:
    assert not verbs.named_model(name.split(".")), name


UNSTABLE = """
    generate_id new_id make_id create_id gen_id new_uuid generate_uuid generate_request_id new_session_id make_run_id next_id now utcnow
    utc_now get_current_time current_time get_timestamp clock.now self._now time_utils.now datetime.now random_string generate_random_code
    get_random_item random_suffix generate_nonce create_ulid nanoid uuid4 get_current_datetime generate_token now_iso self.generate_id
    id_generator.next_id create_thread_id
    """.split()
STABLE = """
    get_id parse_id user_id thread_id format_timestamp timestamp_to_iso order.now_playing validate_uuid id make_key create_token_count
    generate_report nowhere known renew shuffle_deck state.now today_count access_token generate_access_token time_limit message.id
    random_forest message.create_id_card
    """.split()


@pytest.mark.parametrize("name", UNSTABLE)
def test_a_name_that_makes_something_new_every_time(name: str) -> None:
    assert verbs.named_unstable(name.split(".")), name


@pytest.mark.parametrize("name", STABLE)
def test_a_name_that_makes_nothing_new(name: str) -> None:
    assert verbs.named_unstable(name.split(".")) is None, name


READS = """
    fetch_user fetch_data download_file scrape_page search_web query_database lookup_customer retrieve_documents read_file find_user
    db.find db.get api.get crm.lookup repo.find client.list select_rows afetch_user service.get
    """.split()
NO_READS = """
    messages.find text.find fetched reader state.get data.get d.get query readonly search context.search send_email FetchUser get_name
    """.split()


@pytest.mark.parametrize("name", READS)
def test_a_name_that_looks_something_up(name: str) -> None:
    assert verbs.named_read(name.split(".")), name


@pytest.mark.parametrize("name", NO_READS)
def test_a_name_that_looks_nothing_up(name: str) -> None:
    assert not verbs.named_read(name.split(".")), name


HARMLESS = """
    logger.info log_event log_decision format_card parse_email build_payload get_name is_valid has_items validate_input to_dict from_dict
    print_summary emit_event record_metric record_interrupt get_stream_writer writer compute_total span.set_attribute render_template
    extract_fields self.logger.warning
    """.split()
NOT_HARMLESS = """
    send_email db.save charge notify_user create_ticket llm.invoke call_llm execute_tool run_agent process handle step get_llm_response
    """.split()


@pytest.mark.parametrize("name", HARMLESS)
def test_a_name_that_promises_no_harm(name: str) -> None:
    assert verbs.harmless_name(name.split(".")), name


@pytest.mark.parametrize("name", NOT_HARMLESS)
def test_a_name_that_does_not_promise_no_harm(name: str) -> None:
    assert not verbs.harmless_name(name.split(".")), name


DISPATCHES = """
    tool.invoke tool.ainvoke tools_by_name.invoke TOOLS_BY_NAME.invoke self.tools.ainvoke selected_tool.run execute_tool run_tool
    call_tool invoke_tool dispatch_tool_call execute_tool_call session.call_tool
    """.split()
NO_DISPATCHES = """
    tool_node.invoke llm_with_tools.invoke model_with_tools.ainvoke retriever_tool.invoke tools.append tool.name get_tools execute_query
    run_agent ToolNode.invoke tool_calls.append
    """.split()


@pytest.mark.parametrize("name", DISPATCHES)
def test_a_name_that_dispatches_to_a_tool(name: str) -> None:
    assert verbs.named_dispatch(name.split(".")), name


@pytest.mark.parametrize("name", NO_DISPATCHES)
def test_a_name_that_does_not_dispatch(name: str) -> None:
    assert not verbs.named_dispatch(name.split(".")), name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sendMail", ("send", "mail")),
        ("create_issue", ("create", "issue")),
        ("HTTPServer", ("http", "server")),
        ("upload_to_s3", ("upload", "to", "s3")),
        ("callLLM", ("call", "llm")),
        ("", ()),
    ],
)
def test_words_are_split_at_underscores_and_humps(name: str, expected: tuple[str, ...]) -> None:
    assert verbs.words(name) == expected


@pytest.mark.parametrize(
    "function", [verbs.named_effect, verbs.named_model, verbs.named_read, verbs.named_unstable, verbs.harmless_name, verbs.named_dispatch]
)
@pytest.mark.parametrize(
    "parts", [[], [""], ["", ""], ["()"], ["_"], ["__"], ["a", ""], ["日本語"], ["送信"], ["x" * 3000], ["send_" * 500]]
)
def test_odd_names_are_no_evidence_and_no_error(function, parts: list[str]) -> None:
    function(parts)


def test_the_phrase_speaks_in_the_third_person() -> None:
    assert verbs.named_effect(["send_email"]) == "sends email"
    assert verbs.named_effect(["db", "create_audit_log"]) == "creates audit log"
    assert verbs.named_effect(["db", "save"]) == "saves through db"


@pytest.mark.parametrize("name", """
    _post post request _request make_request _make_request amake_request call_api _call_api api_call apost post_json _send_request rpc
    graphql gql_query _graphql execute_tool call_tool run_with_retry _do_request http_post invoke_remote_tool _execute_gmail_tool
    call_jira_api _github_request stripe_post call_openrouter query_graph postJson
    """.split())
def test_a_name_that_only_carries_leaves_the_word_to_its_caller(name: str) -> None:
    assert verbs.only_transports(name)


@pytest.mark.parametrize("name", """
    notify_ops create_customer _open open_ticket process handle step create_purchase_request send_friend_request submit_query charge
    execute_trade run_payroll request_refund call_refund deploy_tool update_endpoint x
    """.split())
def test_a_name_that_says_more_does_not(name: str) -> None:
    assert not verbs.only_transports(name)


@pytest.mark.parametrize("name", """
    get_order search_flights find_books list_posts fetch_email lookup_refund check_charge check_in_stock check_out_of_stock get_token
    refresh_token login create_access_token query is_available get_paid_invoices get_or_create_user getAccessToken embed_query check_trigger
    web_search _web_search_api_serper tavily_search
    """.split())
def test_a_post_that_asks(name: str) -> None:
    assert verbs.only_asks(name)


@pytest.mark.parametrize("name", """
    check_out checkOut check_in check_in_guest get_paid find_and_book search_then_email grant_token login_bonus_grant revoke_token
    send_login_code load_and_submit post_message create_order do_search_and_pay handle create_search_index save_search post_search_results
    """.split())
def test_a_post_that_acts(name: str) -> None:
    assert not verbs.only_asks(name)
