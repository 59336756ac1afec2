"""Calls that are safe to repeat: logging, printing, tracing, metrics, pure computation, screens."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, safe

ROWS = (
    safe("logs", """
        logging.** structlog.** loguru.** logbook.** colorlog.** coloredlogs.** absl.logging.** icecream.** pythonjsonlogger.**
        warnings.** traceback.** faulthandler.** click.{echo,secho,style} typer.{echo,secho,style} rich.** pprint.** tabulate.** tqdm.**
        alive_progress.** halo.** yaspin.** colorama.** termcolor.** sys.{stdout,stderr,stdin}.** eliot.** verboselogs.**
        google.cloud.logging.** fastapi.logger.** uvicorn.** aiologger.** print_color.** art.** pyfiglet.** prettytable.** cowsay.**
        textual.** blessed.** curses.** prompt_toolkit.** questionary.** inquirer.** InquirerPy.** simple_term_menu.** getpass.**
        """, reason="said twice in a log is not done twice"),
    safe("traces or measures", """
        opentelemetry.** langfuse.** langsmith.** mlflow.** wandb.** sentry_sdk.** prometheus_client.** statsd.** datadog.** ddtrace.**
        logfire.** newrelic.** honeycomb.** phoenix.** openinference.** traceloop.** agentops.** opik.** helicone.** posthog.**
        mixpanel.** segment.** amplitude.** neptune.** comet_ml.** clearml.** aim.** tensorboard.** elasticapm.** rollbar.** bugsnag.**
        honeybadger.** braintrust.** galileo.** lunary.** weave.** trulens.** promptlayer.** literalai.** portkey_ai.langchain.**
        azure.monitor.** google.cloud.{trace,monitoring,error_reporting}.** aws_xray_sdk.** aws_lambda_powertools.** memory_profiler.**
        tracemalloc.** cProfile.** pyinstrument.** langtrace_python_sdk.** openllmetry.** codecarbon.** langchain_core.tracers.**
        langchain_core.callbacks.** langchain.callbacks.** langchain_community.callbacks.** streamlit.**.callbacks.**
        """, reason="telemetry sent twice changes nothing"),
    safe("draws on the screen", """
        streamlit.** chainlit.** gradio.** ipywidgets.** IPython.** nicegui.** panel.** dash.** reflex.** mesop.** flet.** tkinter.**
        PyQt*.** PySide*.** pygame.** kivy.** taipy.** marimo.** solara.**
        """, reason="what a screen shows is for watching"),
    safe("answers a web request", """
        fastapi.** starlette.** flask.** django.http.** django.shortcuts.render django.urls.** django.conf.** django.** sanic.**
        tornado.** bottle.** aiohttp.web.** werkzeug.** quart.** litestar.** falcon.** sse_starlette.** gunicorn.** hypercorn.** mangum.**
        slowapi.** jinja2.** mako.** markupsafe.** chevron.** itsdangerous.** jwt.** jose.** passlib.** bcrypt.** argon2.**
        authlib.jose.** cryptography.** nacl.** Crypto.** oauthlib.** pyotp.**
        """),
    safe("computes", """
        json.** re.** math.** cmath.** statistics.** itertools.** functools.** operator.** collections.** copy.** dataclasses.** typing.**
        typing_extensions.** types.** string.** textwrap.** hashlib.** hmac.** base64.** binascii.** difflib.** enum.** abc.**
        contextlib.** inspect.** ast.** bisect.** heapq.** posixpath.** ntpath.** array.** decimal.** fractions.** numbers.** struct.**
        zlib.** codecs.** unicodedata.** locale.** gettext.** html.** xml.** csv.** configparser.** tomllib.** tomli.** tomli_w.** toml.**
        yaml.** ruamel.** pickle.** marshal.** shelve.** dill.** cloudpickle.** argparse.** optparse.** ipaddress.** mimetypes.**
        quopri.** uu.** mailbox.** errno.** gc.** weakref.** sys.** builtins.** atexit.** site.** importlib.** pkgutil.** runpy.** dis.**
        keyword.** token.** tokenize.** symtable.** signal.** os.{fspath,fsencode,fsdecode,strerror} threading.** multiprocessing.**
        queue.** concurrent.** asyncio.** anyio.** trio.** sniffio.** contextvars.** selectors.** sched.** nest_asyncio.** asgiref.**
        uvloop.** gevent.** greenlet.** aiostream.** janus.** __future__.** unittest.** pytest.** doctest.** timeit.** nose.**
        hypothesis.** responses.** vcr.** freezegun.** respx.** attr.** attrs.** cattr.** cattrs.** msgspec.** orjson.** ujson.**
        simplejson.** rapidjson.** json5.** demjson3.** json_repair.** jsonschema.** jsonpatch.** jsonpointer.** jsonpath_ng.**
        jmespath.** marshmallow.** voluptuous.** cerberus.** schema.** glom.** toolz.** cytoolz.** more_itertools.** funcy.** boltons.**
        pyrsistent.** deepdiff.** dictdiffer.** box.** addict.** munch.** bunch.** benedict.** pydantic.** pydantic_core.**
        pydantic_settings.** pydantic_extra_types.** dotenv.** environs.** decouple.** dynaconf.** omegaconf.** hydra.** click.** typer.**
        fire.** docopt.** absl.** packaging.** semver.** six.** wrapt.** decorator.** deprecated.** zope.** injector.**
        dependency_injector.** punq.** lagom.** blinker.** pyee.** transitions.** statemachine.** bs4.** lxml.** html5lib.** html2text.**
        markdownify.** markdown.** mistune.** mistletoe.** markdown_it.** bleach.** nh3.** trafilatura.extract trafilatura.**
        readability.** newspaper.** parsel.** cssselect.** pyquery.** ftfy.** chardet.** charset_normalizer.** unidecode.** slugify.**
        inflect.** inflection.** humanfriendly.** emoji.** regex.** parse.** lark.** pyparsing.** ply.** sqlparse.** sqlglot.**
        pygments.** black.** isort.** autopep8.** astor.** libcst.** asttokens.** radon.** rapidfuzz.** fuzzywuzzy.** thefuzz.**
        Levenshtein.** jellyfish.** textdistance.** nltk.** spacy.** textblob.** langdetect.** langid.** pycountry.** phonenumbers.**
        email_validator.** validators.** tldextract.** furl.** yarl.** w3lib.** user_agents.** sympy.** mpmath.** numexpr.** pint.**
        astropy.** shapely.** geopy.distance.** statsmodels.** xgboost.** lightgbm.** catboost.** keras.** tensorflow.** jax.** flax.**
        einops.** accelerate.** peft.** bitsandbytes.** rank_bm25.** annoy.** hnswlib.** umap.** hdbscan.** igraph.** rdflib.**
        owlready2.** pulp.** ortools.** cvxpy.** simpy.** cachetools.** diskcache.** lru.** frozendict.** immutables.** bidict.**
        sortedcontainers.** blist.** bitarray.** intervaltree.** pybloom_live.** xxhash.** mmh3.** blake3.** zstandard.** lz4.** snappy.**
        brotli.** qrcode.** barcode.** colour.** webcolors.** money.** num2words.** roman.** holidays.** workalendar.** croniter.**
        tzdata.** unstructured.** docling.** docling_core.** markitdown.** tika.** camelot.** tabula.** pdfminer.** pdf2image.**
        pytesseract.** easyocr.** mammoth.** striprtf.** ebooklib.** textract.** magic.** filetype.** puremagic.** chonkie.** semchunk.**
        semantic_text_splitter.** presidio_analyzer.** presidio_anonymizer.** scrubadub.** detect_secrets.** detoxify.** llm_guard.**
        nanobind.**
        """),
    safe("waits", """
        asyncio.{sleep,wait,wait_for,gather,as_completed,timeout,timeout_at} anyio.{sleep,sleep_until,sleep_forever} trio.sleep
        gevent.sleep threading.Event().wait
        """),
    safe("retries", """
        tenacity.** backoff.** retrying.** retry.** stamina.** pybreaker.** aiobreaker.** circuitbreaker.** purgatory.** ratelimit.**
        aiolimiter.** limits.** pyrate_limiter.** throttler.** asyncio_throttle.**
        """, reason="what is retried is judged by itself"),
    safe("works with messages and prompts", """
        langchain_core.{messages,prompts,documents,output_parsers,load,utils,prompt_values,agents,chat_history,example_selectors,
          exceptions,globals,rate_limiters,structured_query,outputs,stores,caches,beta,_api,env,version,pydantic_v1,chat_loaders,
          document_transformers,indexing,memory,sys_info}.**
        {langchain,langchain_classic}.{schema,prompts,output_parsers,messages,docstore,text_splitter,pydantic_v1,globals,memory,storage,
          evaluation.schema,utils,load,callbacks,rate_limiters}.** langchain_core.runnables.* langchain_core.runnables.RunnableConfig().**
        langchain_core.runnables.{config,graph,utils,schema}.* langchain_core.tools.*
        langchain_core.tools.{base,convert,render,retriever,simple,structured}.* langchain_text_splitters.**
        langchain_experimental.text_splitter.**
        $LC.**.{ChatPromptTemplate,PromptTemplate,FewShotPromptTemplate,FewShotChatMessagePromptTemplate,HumanMessagePromptTemplate,
          SystemMessagePromptTemplate,AIMessagePromptTemplate,MessagesPlaceholder,ChatMessage,ChatMessagePromptTemplate,ChatPromptValue,
          ChatGeneration,ChatGenerationChunk,ChatResult,ChatMessageChunk,PipelinePromptTemplate,StructuredPrompt,BasePromptTemplate,
          ImagePromptTemplate}().**
        $LC.**.{ChatPromptTemplate,PromptTemplate,HumanMessagePromptTemplate,SystemMessagePromptTemplate,AIMessagePromptTemplate,
          FewShotPromptTemplate}.**
        $LC.**.{StrOutputParser,JsonOutputParser,PydanticOutputParser,CommaSeparatedListOutputParser,XMLOutputParser,PydanticToolsParser,
          JsonOutputToolsParser,JsonOutputKeyToolsParser,OutputFixingParser,StructuredOutputParser,*OutputParser,*ToolsParser}().**
        $LC.**.{RecursiveCharacterTextSplitter,CharacterTextSplitter,TokenTextSplitter,*TextSplitter,*HeaderTextSplitter}.**
        $LC.**.{*TextSplitter,*HeaderTextSplitter,SemanticChunker}().** $LC.**.*Splitter.from_*().**
        langchain_core.runnables.{RunnablePassthrough,RunnableConfig,RunnableAssign,RunnablePick}().** langchain_core.runnables.config.**
        langchain_core.runnables.graph.** langgraph.prebuilt.tool_validator.**
        """),
    safe("fixes a text with a parser", "$LC.**.RetryOutputParser.** $LC.**.OutputFixingParser.**"),
    construct("makes an object of LangChain", """
        $LC.*
        {langchain_community,langchain,langchain_classic}.{vectorstores,retrievers,chat_models,llms,embeddings,tools,utilities,
          document_loaders,agent_toolkits,chat_message_histories,graphs,storage,adapters.openai}.*
        """),
    construct("makes a tool or a runnable", """
        langchain_core.tools.{tool,StructuredTool,Tool,BaseTool} langchain_core.tools.{StructuredTool,Tool}.from_function
        langchain_core.runnables.{RunnableLambda,RunnableParallel,RunnablePassthrough,RunnableSequence,RunnableGenerator,RunnableBranch}
        """),
    safe("works with an answer", "$LC.**.{invoke,ainvoke,stream,astream,predict,run,arun,generate,agenerate,batch,abatch}().**"),
    safe("works with an answer", "langgraph.types.interrupt().**"),
    # chat histories that live elsewhere
    effect("adds to a stored chat history", """
        {langchain_community,langchain_postgres,langchain_redis,langchain_mongodb,langchain_google_firestore,langchain_aws,
          langchain_elasticsearch}.**.*{History,HistoryStore}().{add_message,add_messages,add_user_message,add_ai_message,aadd_messages}
        """),
    safe("keeps a chat history in memory", """
        {langchain_community,langchain_core}.**.{ChatMessageHistory,InMemoryChatMessageHistory}().**
        {langchain_community,langchain_postgres,langchain_redis,langchain_mongodb}.**.*{History,HistoryStore}().**
        """),
)

ALIASES: dict[str, str] = {}
RETURNS: dict[str, str] = {}
KEYED: frozenset[str] = frozenset()
