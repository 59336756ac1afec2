"""What the catalogue says about real calls, by path."""

from __future__ import annotations

import pytest

from hitl_lint import catalogue
from hitl_lint.catalogue import canonical, lookup

# kind -> paths as the analysis resolves them
TABLE: dict[str, str] = {
    "effect": """
        requests.post requests.patch requests.Session().post requests.session().post httpx.post httpx.Client().post
        httpx.AsyncClient().post aiohttp.ClientSession().post aiohttp.client.ClientSession().patch urllib.request.urlretrieve
        smtplib.SMTP().sendmail smtplib.SMTP_SSL().send_message aiosmtplib.send sendgrid.SendGridAPIClient().send resend.Emails.send
        django.core.mail.send_mail twilio.rest.Client().messages.create yagmail.SMTP().send fastapi_mail.FastMail().send_message
        slack_sdk.WebClient().chat_postMessage slack_sdk.web.async_client.AsyncWebClient().chat_postMessage
        slack_sdk.webhook.WebhookClient().send discord.Client().get_channel().send telegram.Bot().send_message aiogram.Bot().send_message
        boto3.client('ses').send_email boto3.client('sns').publish boto3.client('sqs').send_message
        boto3.Session().client('sqs').send_message boto3.client('lambda').invoke boto3.client('dynamodb').create_table
        boto3.resource('sqs').Queue().send_message boto3.client().send_email aioboto3.Session().client('sns').publish
        boto3.client('stepfunctions').start_execution boto3.client('ec2').run_instances boto3.client('events').put_events
        kafka.KafkaProducer().send confluent_kafka.Producer().produce aiokafka.AIOKafkaProducer().send_and_wait
        pika.BlockingConnection().channel().basic_publish google.cloud.pubsub_v1.PublisherClient().publish nats.connect().publish
        celery.Celery().send_task celery.Celery().task()().delay celery.shared_task()().apply_async rq.Queue().enqueue
        arq.create_pool().enqueue_job fastapi.BackgroundTasks().add_task paho.mqtt.client.Client().publish stripe.Refund.create
        stripe.PaymentIntent.create stripe.StripeClient().refunds.create stripe.Charge.create stripe.checkout.Session.create
        braintree.BraintreeGateway().transaction.sale ccxt.binance().create_order alpaca.trading.client.TradingClient().submit_order
        web3.Web3().eth.send_raw_transaction googleapiclient.discovery.build('gmail').users().messages().send().execute
        googleapiclient.discovery.build('calendar').events().insert().execute googleapiclient.discovery.build().events().insert().execute
        googleapiclient.discovery.build('sheets').spreadsheets().values().append().execute
        gspread.service_account().open().sheet1.append_row notion_client.Client().pages.create notion_client.AsyncClient().pages.create
        jira.JIRA().create_issue github.Github().get_repo().create_issue github.Github().get_repo().get_pull().merge
        gitlab.Gitlab().projects.get().issues.create simple_salesforce.Salesforce().Lead.create
        hubspot.HubSpot().crm.contacts.basic_api.create asana.TasksApi().create_task msgraph.GraphServiceClient().me.send_mail.post
        atlassian.Jira().issue_create sqlalchemy.orm.Session().add sqlalchemy.orm.Session().add_all
        sqlalchemy.ext.asyncio.AsyncSession().add sqlmodel.Session().add sqlalchemy.orm.sessionmaker()().add
        sqlalchemy.ext.asyncio.async_sessionmaker()().add flask_sqlalchemy.SQLAlchemy().session.add sqlalchemy.orm.scoped_session().add
        sqlalchemy.orm.Session().bulk_insert_mappings sqlalchemy.orm.sessionmaker().begin().add django.db.models.Model.objects.create
        django.db.models.Model().save django.db.models.Model.objects.bulk_create peewee.Model.create tortoise.models.Model.create
        beanie.Document().insert prisma.Prisma().user.create mongoengine.Document().save pymongo.MongoClient().insert_one
        pymongo.MongoClient().db.users.insert_many motor.motor_asyncio.AsyncIOMotorClient().db.users.insert_one
        pymongo.AsyncMongoClient().insert_one gridfs.GridFS().put redis.Redis().incr redis.asyncio.Redis().lpush redis.from_url().rpush
        redis.Redis.from_url().xadd redis.Redis().pipeline().incr redis.asyncio.from_url().publish redis.StrictRedis().zincrby
        redis.Redis().lpop valkey.Valkey().incr elasticsearch.Elasticsearch().index elasticsearch.helpers.bulk
        supabase.create_client().table().insert().execute supabase.acreate_client().table().insert().execute
        supabase.Client().table().insert().select().execute google.cloud.firestore.Client().collection().add
        firebase_admin.firestore.client().collection().add google.cloud.bigquery.Client().insert_rows_json
        azure.cosmos.CosmosClient().get_database_client().get_container_client().create_item langchain_chroma.Chroma().add_documents
        langchain_community.vectorstores.Chroma().add_texts langchain_pinecone.PineconeVectorStore().aadd_documents
        langchain_postgres.PGVector.from_documents langchain_core.vectorstores.VectorStore().add_documents_x
        chromadb.PersistentClient().get_collection().add weaviate.Client().data_object.create lancedb.connect().open_table().add
        influxdb_client.InfluxDBClient().write_api().write pathlib.Path().write_text pathlib.Path().parent.write_bytes
        pathlib.Path.cwd().write_text pathlib.Path().mkdir pathlib.Path().unlink pathlib.Path().rename os.mkdir os.makedirs os.remove
        os.unlink os.rename os.replace os.rmdir shutil.rmtree shutil.copy shutil.move shutil.copytree pandas.DataFrame().to_csv
        pandas.read_csv().to_excel numpy.save torch.save PIL.Image.new().save PIL.Image.open().save matplotlib.pyplot.savefig
        docx.Document().save openpyxl.Workbook().save zipfile.ZipFile().extractall subprocess.run subprocess.Popen subprocess.check_output
        os.system os.popen asyncio.create_subprocess_exec asyncio.create_subprocess_shell os.kill docker.from_env().containers.run
        docker.DockerClient().containers.get().restart paramiko.SSHClient().exec_command fabric.Connection().run
        kubernetes.client.CoreV1Api().create_namespaced_pod git.Repo().index.commit git.Repo().git.push
        langchain_experimental.utilities.PythonREPL().run e2b_code_interpreter.Sandbox().run_code mcp.ClientSession().call_tool
        fastmcp.Client().call_tool openai.OpenAI().files.create openai.OpenAI().beta.threads.create
        openai.OpenAI().fine_tuning.jobs.create langgraph_sdk.get_client().threads.create
        langgraph.graph.StateGraph().compile().update_state playwright.sync_api.sync_playwright().chromium.launch().new_page().click
        langchain_google_community.gmail.send_message.GmailSendMessage().invoke websockets.connect().send
        temporalio.client.Client().start_workflow pyautogui.click graphiti_core.Graphiti().add_episode mem0.Memory().add
        """,
    "model": """
        langchain_openai.ChatOpenAI().invoke langchain_openai.ChatOpenAI().ainvoke langchain_openai.ChatOpenAI().stream
        langchain_openai.AzureChatOpenAI().invoke langchain_openai.ChatOpenAI().bind_tools().invoke
        langchain_openai.ChatOpenAI().with_structured_output().ainvoke langchain_openai.ChatOpenAI()()
        langchain_openai.ChatOpenAI().with_retry().with_fallbacks().invoke langchain_openai.chat_models.ChatOpenAI().invoke
        langchain_openai.chat_models.base.ChatOpenAI().predict langchain_anthropic.ChatAnthropic().invoke
        langchain_google_genai.ChatGoogleGenerativeAI().invoke langchain_google_vertexai.ChatVertexAI().invoke
        langchain_ollama.ChatOllama().invoke langchain_ollama.OllamaLLM().invoke langchain_ollama.llms.OllamaLLM().invoke
        langchain_groq.ChatGroq().invoke langchain_mistralai.ChatMistralAI().invoke langchain_cohere.ChatCohere().invoke
        langchain_aws.ChatBedrock().invoke langchain_aws.ChatBedrockConverse().ainvoke langchain_deepseek.ChatDeepSeek().invoke
        langchain_xai.ChatXAI().invoke langchain_huggingface.ChatHuggingFace().invoke langchain_huggingface.HuggingFaceEndpoint().invoke
        langchain_nvidia_ai_endpoints.ChatNVIDIA().invoke langchain_community.chat_models.ChatOllama().invoke
        langchain_community.chat_models.tongyi.ChatTongyi().invoke langchain_community.llms.Ollama().invoke
        langchain.chat_models.ChatOpenAI().predict_messages langchain.llms.OpenAI()() langchain.chat_models.init_chat_model().invoke
        langchain.chat_models.base.init_chat_model().ainvoke langchain.chat_models.init_chat_model().with_structured_output().invoke
        langchain_core.language_models.BaseChatModel().ainvoke langchain_core.language_models.chat_models.BaseChatModel().invoke
        langchain_core.language_models.BaseLanguageModel().invoke langchain_core.language_models.LanguageModelLike().invoke
        langchain_core.language_models.fake_chat_models.FakeListChatModel().invoke langchain_openai.ChatOpenAI().batch
        langchain_openai.ChatOpenAI().astream_events langchain_openai.ChatOpenAI().generate langchain_litellm.ChatLiteLLM().invoke
        langchain_openai.OpenAIEmbeddings().embed_query langchain_openai.OpenAIEmbeddings().aembed_documents
        langchain_huggingface.HuggingFaceEmbeddings().embed_documents langchain.embeddings.init_embeddings().embed_query
        langchain_community.vectorstores.FAISS.from_texts langchain_core.vectorstores.InMemoryVectorStore.from_documents
        langchain.chains.LLMChain().run langchain.chains.RetrievalQA.from_chain_type().invoke
        langchain.chains.summarize.load_summarize_chain().invoke langchain_classic.chains.LLMChain().invoke langchain.LLMChain().predict
        langchain.chains.LLMChain()() langchain.chains.combine_documents.create_stuff_documents_chain().invoke
        langchain.chains.create_retrieval_chain().invoke langchain.agents.AgentExecutor().invoke langchain.agents.initialize_agent().run
        langchain_classic.agents.AgentExecutor().ainvoke langchain_experimental.agents.create_pandas_dataframe_agent().invoke
        langchain_community.agent_toolkits.create_sql_agent().invoke langserve.RemoteRunnable().invoke
        openai.OpenAI().chat.completions.create openai.AsyncOpenAI().chat.completions.create openai.AzureOpenAI().chat.completions.create
        openai.chat.completions.create openai.OpenAI().beta.chat.completions.parse openai.OpenAI().responses.create
        openai.OpenAI().responses.parse openai.OpenAI().embeddings.create openai.OpenAI().images.generate
        openai.OpenAI().audio.transcriptions.create openai.ChatCompletion.create openai.ChatCompletion.acreate
        openai.OpenAI().chat.completions.with_raw_response.create openai.OpenAI().with_options().chat.completions.create
        langfuse.openai.OpenAI().chat.completions.create langsmith.wrappers.wrap_openai().chat.completions.create
        anthropic.Anthropic().messages.create anthropic.AsyncAnthropic().messages.stream anthropic.AnthropicBedrock().messages.create
        anthropic.Anthropic().beta.messages.create google.generativeai.GenerativeModel().generate_content
        google.generativeai.GenerativeModel().start_chat().send_message google.genai.Client().models.generate_content
        google.genai.Client().aio.models.generate_content google.genai.Client().chats.create().send_message
        vertexai.generative_models.GenerativeModel().generate_content litellm.completion litellm.acompletion litellm.embedding
        litellm.Router().acompletion ollama.chat ollama.generate ollama.Client().chat ollama.AsyncClient().chat
        groq.Groq().chat.completions.create together.Together().chat.completions.create mistralai.Mistral().chat.complete
        cohere.Client().chat cohere.ClientV2().chat huggingface_hub.InferenceClient().chat_completion
        huggingface_hub.AsyncInferenceClient().text_generation transformers.pipeline()() replicate.run
        boto3.client('bedrock-runtime').invoke_model boto3.client('bedrock-runtime').converse boto3.client().converse
        instructor.from_openai().chat.completions.create crewai.Crew().kickoff crewai.Crew().kickoff_async pydantic_ai.Agent().run
        pydantic_ai.Agent().run_sync agents.Runner.run autogen_agentchat.agents.AssistantAgent().run dspy.Predict()()
        dspy.ChainOfThought()() smolagents.CodeAgent().run strands.Agent()() agno.agent.Agent().run claude_agent_sdk.query
        llama_index.llms.openai.OpenAI().complete llama_index.core.VectorStoreIndex.from_documents().as_query_engine().query
        semantic_kernel.Kernel().invoke_prompt langgraph.pregel.remote.RemoteGraph().invoke langgraph_sdk.get_client().runs.wait
        langgraph_sdk.get_sync_client().runs.stream a2a.client.A2AClient().send_message langmem.create_memory_store_manager().ainvoke
        trustcall.create_extractor().invoke elevenlabs.client.ElevenLabs().text_to_speech.convert
        """,
    "unstable": """
        time.time time.perf_counter time.monotonic_ns datetime.datetime.now datetime.datetime.utcnow datetime.date.today random.random
        random.choice random.randint random.Random().choice random.SystemRandom().random secrets.token_hex secrets.choice uuid.uuid4
        uuid.uuid1 uuid.uuid7 os.urandom numpy.random.rand numpy.random.default_rng().normal hash pendulum.now arrow.utcnow
        django.utils.timezone.now faker.Faker().name nanoid.generate shortuuid.uuid ulid.new pandas.Timestamp.now bson.ObjectId
        pandas.DataFrame().sample email.utils.make_msgid
        """,
    "read": """
        requests.get httpx.get httpx.AsyncClient().get httpx.Client().head aiohttp.ClientSession().get urllib.request.urlopen
        requests.request httpx.Client().stream os.getenv os.environ.get os.listdir os.path.exists pathlib.Path().read_text
        pathlib.Path().exists pathlib.Path().glob open pathlib.Path().open aiofiles.open json_x sqlite3.connect().execute
        sqlite3.connect().cursor().execute psycopg.connect().cursor().execute psycopg2.connect().cursor().executemany
        asyncpg.connect().fetch asyncpg.create_pool().acquire().execute aiosqlite.connect().execute sqlalchemy.orm.Session().execute
        sqlalchemy.create_engine().connect().execute sqlalchemy.create_engine().begin().execute
        sqlalchemy.ext.asyncio.create_async_engine().begin().execute sqlalchemy.orm.Session().query sqlalchemy.orm.Session().get
        sqlalchemy.orm.Session().query().filter().first sqlalchemy.orm.Session().scalars sqlmodel.Session().exec
        django.db.models.Model.objects.get pymongo.MongoClient().find_one redis.Redis().get redis.Redis().hgetall
        elasticsearch.Elasticsearch().search supabase.create_client().table().select().execute
        google.cloud.firestore.Client().collection().document().get boto3.resource('dynamodb').Table().get_item
        boto3.client('s3').get_object boto3.client('ec2').describe_instances langchain_chroma.Chroma().similarity_search
        langchain_chroma.Chroma().as_retriever().invoke langchain_core.retrievers.BaseRetriever().ainvoke
        langchain_core.vectorstores.VectorStoreRetriever().get_relevant_documents
        langchain_community.tools.tavily_search.TavilySearchResults().invoke langchain_tavily.TavilySearch().invoke
        langchain_community.tools.DuckDuckGoSearchRun().run langchain_community.utilities.WikipediaAPIWrapper().run
        langchain_community.document_loaders.WebBaseLoader().load langchain_community.document_loaders.PyPDFLoader().load_and_split
        tavily.TavilyClient().search exa_py.Exa().search_and_contents duckduckgo_search.DDGS().text
        langgraph.store.memory.InMemoryStore().get langgraph.store.base.BaseStore().search langgraph.config.get_store().asearch
        langgraph.graph.StateGraph().compile().get_state langgraph_sdk.get_client().threads.get_state langchain.hub.pull
        googleapiclient.discovery.build('gmail').users().messages().list().execute mcp.ClientSession().list_tools
        langchain_mcp_adapters.client.MultiServerMCPClient().get_tools github.Github().get_repo
        slack_sdk.WebClient().conversations_history pandas.read_csv input git.Repo().git.status imaplib.IMAP4_SSL().search
        kubernetes.client.CoreV1Api().list_namespaced_pod docker.from_env().containers.list
        """,
    "safe": """
        print logging.info logging.getLogger().warning structlog.get_logger().info loguru.logger.debug rich.print
        rich.console.Console().print tqdm.tqdm opentelemetry.trace.get_tracer().start_as_current_span langfuse.Langfuse().trace
        langsmith.traceable mlflow.log_metric wandb.log sentry_sdk.capture_message prometheus_client.Counter().inc streamlit.write
        json.dumps json.loads re.sub math.sqrt itertools.chain copy.deepcopy hashlib.sha256 base64.b64encode hashlib.sha256().hexdigest
        textwrap.dedent functools.reduce collections.Counter dataclasses.asdict pydantic.BaseModel.model_validate requests.put
        requests.delete httpx.Client().put httpx.AsyncClient().delete requests.post().json requests.get().raise_for_status
        httpx.Client().post().json aiohttp.ClientSession().post().json sqlalchemy.orm.Session().commit sqlalchemy.orm.Session().flush
        sqlalchemy.orm.Session().merge sqlalchemy.orm.Session().delete sqlalchemy.select sqlalchemy.orm.Session().query().filter().update
        sqlite3.connect().commit sqlalchemy.orm.declarative_base().metadata.create_all django.db.models.Model.objects.get_or_create
        django.db.models.Model.objects.filter().update pymongo.MongoClient().update_one pymongo.MongoClient().delete_many
        redis.Redis().set redis.Redis().expire redis.Redis().sadd redis.Redis().pipeline().execute
        supabase.create_client().table().upsert().execute supabase.create_client().table().update().eq().execute
        google.cloud.firestore.Client().collection().document().set boto3.client('s3').put_object boto3.client('s3').upload_file
        boto3.resource('dynamodb').Table().put_item boto3.client('s3').delete_object pinecone.Pinecone().Index().upsert
        kubernetes.client.AppsV1Api().delete_namespaced_deployment docker.DockerClient().containers.get().stop
        slack_sdk.WebClient().chat_update boto3.client('ec2').terminate_instances pathlib.Path().read_text().replace os.getenv().strip
        qdrant_client.QdrantClient().upsert chromadb.Client().get_or_create_collection().upsert langchain.indexes.index
        langgraph.store.memory.InMemoryStore().put langgraph.store.base.BaseStore().aput langgraph.config.get_store().put
        langgraph.runtime.Runtime().store.put langchain.tools.ToolRuntime().store.put langgraph.config.get_stream_writer
        langgraph.config.get_stream_writer()() langgraph.runtime.Runtime().stream_writer langchain_core.callbacks.adispatch_custom_event
        langgraph.types.Command langgraph.types.Send langgraph.graph.message.add_messages langchain_core.messages.HumanMessage
        langchain_core.prompts.ChatPromptTemplate.from_messages langchain_core.prompts.ChatPromptTemplate.from_messages().invoke
        langchain_core.prompts.ChatPromptTemplate().format_messages langchain_core.prompts.PromptTemplate().invoke
        langchain.prompts.ChatPromptTemplate.from_template().format langchain_core.output_parsers.StrOutputParser().invoke
        langchain_core.output_parsers.PydanticOutputParser().parse langchain_text_splitters.RecursiveCharacterTextSplitter().split_text
        langchain.text_splitter.CharacterTextSplitter().split_documents langchain_core.messages.trim_messages
        langchain_openai.ChatOpenAI().get_num_tokens time.sleep asyncio.sleep asyncio.gather asyncio.wait_for uuid.uuid5 uuid.UUID
        datetime.timedelta datetime.datetime.fromisoformat datetime.datetime.now().isoformat random.seed open().write
        pathlib.Path().open().write zipfile.ZipFile().write subprocess.Popen().communicate tempfile.mkdtemp().x len sorted isinstance dict
        str.join str().upper os.path.join pathlib.Path().with_suffix pathlib.Path().joinpath stripe.Customer.modify
        notion_client.Client().pages.update googleapiclient.discovery.build('gmail').users().messages().modify().execute
        sentence_transformers.SentenceTransformer().encode tiktoken.get_encoding threading.Lock concurrent.futures.ThreadPoolExecutor
        uuid.uuid4().hex urllib.parse.quote bs4.BeautifulSoup().find_all yaml.safe_load openai.OpenAI().close sys.exit warnings.warn
        """,
    "construct": """
        langchain_openai.ChatOpenAI langchain_anthropic.ChatAnthropic langchain.chat_models.init_chat_model
        langchain_openai.ChatOpenAI().bind_tools langchain_openai.ChatOpenAI().with_structured_output langchain_openai.OpenAIEmbeddings
        langgraph.graph.StateGraph langgraph.graph.StateGraph().compile langgraph.prebuilt.create_react_agent
        langchain.agents.create_agent deepagents.create_deep_agent langgraph.prebuilt.ToolNode langgraph.checkpoint.memory.InMemorySaver
        langgraph.checkpoint.postgres.PostgresSaver.from_conn_string sqlalchemy.create_engine sqlalchemy.orm.sessionmaker sqlite3.connect
        psycopg.connect httpx.Client httpx.AsyncClient requests.Session aiohttp.ClientSession boto3.client boto3.client('s3') pathlib.Path
        tempfile.TemporaryDirectory langchain_core.tools.tool langchain.tools.tool langchain_core.runnables.RunnableLambda
        langchain_chroma.Chroma().as_retriever langgraph_sdk.get_client supabase.create_client ValueError RuntimeError stripe.StripeClient
        langchain_community.tools.tavily_search.TavilySearchResults langchain_community.document_loaders.WebBaseLoader docker.from_env
        """,
    "graph": """
        langgraph.graph.StateGraph().compile().invoke langgraph.graph.StateGraph().compile().ainvoke
        langgraph.graph.state.StateGraph().compile().stream langgraph.graph.state.CompiledStateGraph().ainvoke
        langgraph.prebuilt.create_react_agent().invoke langgraph.prebuilt.chat_agent_executor.create_react_agent().ainvoke
        langchain.agents.create_agent().invoke langchain.agents.factory.create_agent().astream deepagents.create_deep_agent().ainvoke
        langgraph_supervisor.create_supervisor().compile().invoke langgraph.pregel.Pregel().invoke
        """,
}
CASES = [(kind, path) for kind, text in TABLE.items() for path in text.split() if not path.endswith(("_x", ".x"))]


@pytest.mark.parametrize(("kind", "path"), CASES)
def test_kind(kind: str, path: str) -> None:
    entry = lookup(path)
    assert entry is not None, f"{path} is unknown"
    if kind == "safe":
        assert entry.kind in ("safe", "construct"), f"{path}: {entry}"
    elif kind == "construct":
        assert entry.kind in ("construct", "safe"), f"{path}: {entry}"
    else:
        assert entry.kind == kind, f"{path}: {entry}"


UNKNOWN = """
    app.services.send mypackage.client.post langchain_core.tools.BaseTool().invoke langchain_core.tools.StructuredTool().ainvoke
    langchain_core.runnables.Runnable().invoke langchain_core.runnables.RunnableSequence().ainvoke
    langchain_core.runnables.RunnableLambda().invoke langgraph.types.interrupt langchain.agents.middleware.human_in_the_loop.interrupt
    langchain.tools.BaseTool().invoke foo bar.baz
    """.split()


@pytest.mark.parametrize("path", UNKNOWN)
def test_what_the_analysis_or_the_name_must_judge_is_unknown_here(path: str) -> None:
    """Tools and runnables are followed to the function inside; a pause is no effect."""
    assert lookup(path) is None, lookup(path)


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("langchain.agents.middleware.human_in_the_loop.interrupt", "langgraph.types.interrupt"),
        ("langgraph.constants.Send", "langgraph.types.Send"),
        ("langgraph.errors.Command", "langgraph.types.Command"),
        ("langgraph.graph.state.StateGraph()", "langgraph.graph.StateGraph()"),
        ("langgraph.checkpoint.memory.MemorySaver()", "langgraph.checkpoint.memory.InMemorySaver()"),
        ("langgraph.graph.START", "langgraph.constants.START"),
        ("langchain.tools.tool", "langchain_core.tools.tool"),
        ("langchain_core.tools.convert.tool", "langchain_core.tools.tool"),
        ("httpx.AsyncClient().post", "httpx.Client().post"),
        ("openai.AsyncAzureOpenAI().chat", "openai.OpenAI().chat"),
        ("sqlalchemy.orm.sessionmaker()()", "sqlalchemy.orm.Session()"),
        ("sqlalchemy.ext.asyncio.async_sessionmaker()().execute", "sqlalchemy.orm.Session().execute"),
        ("boto3.session.Session().client('s3').put_object", "boto3.client('s3').put_object"),
        ("aiobotocore.session.get_session().create_client('s3').put_object", "boto3.client('s3').put_object"),
        ("redis.asyncio.from_url().pipeline().set", "redis.Redis().set"),
        ("langchain_openai.ChatOpenAI().bind_tools().with_config().invoke", "langchain_openai.ChatOpenAI().invoke"),
        ("langchain_openai.ChatOpenAI().bind_tools", "langchain_openai.ChatOpenAI().bind_tools"),
        ("motor.motor_asyncio.AsyncIOMotorClient().db.c.insert_one", "pymongo.MongoClient().db.c.insert_one"),
        ("nothing.to.rewrite()", "nothing.to.rewrite()"),
    ],
)
def test_one_spelling_for_one_thing(path: str, same: str) -> None:
    assert canonical(path) == same
    assert canonical(same) == same


def test_known_libraries() -> None:
    for name in ("openai", "langchain_openai", "langchain_something_new", "requests", "sqlalchemy", "json", "boto3"):
        assert catalogue.known_library(name), name
    for name in (
        "app",
        "src",
        "utils",
        "tools",
        "agents",
        "nodes",
        "graph",
        "database",
        "models",
        "services",
        "schema",
        "records",
        "my_agent",
        "config",
    ):
        assert not catalogue.known_library(name), name


def test_the_service_of_a_cloud_client_is_kept() -> None:
    assert "boto3.client" in catalogue.KEYED and "googleapiclient.discovery.build" in catalogue.KEYED
    assert lookup("boto3.client('ses').send_email").what == "sends mail"  # type: ignore[union-attr]


def test_lookup_is_cached_and_quick() -> None:
    lookup.cache_clear()
    for _ in range(3):
        for _, path in CASES:
            lookup(path)
    assert lookup.cache_info().hits >= 2 * len({p for _, p in CASES}) - 10
