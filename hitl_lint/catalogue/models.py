"""Model calls: chat models, completions, embeddings, chains, and agents that run elsewhere or outside LangGraph.

They are paid again per replay, and the answer differs. Constructors and wrappers (`bind_tools`, `with_structured_output`) are harmless;
`canonical` drops the wrappers."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, group, model, read, safe

group("RUN", """
    invoke ainvoke stream astream batch abatch generate agenerate predict apredict predict_messages apredict_messages call_as_llm
    astream_events stream_events astream_log batch_as_completed abatch_as_completed generate_prompt agenerate_prompt transform
    atransform _generate _agenerate _call _acall
    """)

group("LLM", """
    OpenAI AzureOpenAI BaseOpenAI OpenAIChat Ollama OllamaLLM OllamaFunctions Bedrock BedrockLLM BedrockChat BedrockBase VertexAI
    VertexAIModelGarden GoogleGenerativeAI GooglePalm HuggingFaceHub HuggingFaceEndpoint HuggingFacePipeline
    HuggingFaceTextGenInference LlamaCpp Cohere Anthropic AnthropicLLM AI21 Together Fireworks Replicate Tongyi QianfanLLMEndpoint
    GPT4All CTransformers VLLM VLLMOpenAI WatsonxLLM NVIDIA Xinference Writer Databricks MLXPipeline SparkLLM MiniMax ChatGLM
    Predibase GigaChat YandexGPT FakeListLLM FakeListChatModel FakeMessagesListChatModel GenericFakeChatModel FakeStreamingListLLM
    FakeChatModel ParrotFakeChatModel BaseChatModel BaseLanguageModel BaseLLM LLM SimpleChatModel LanguageModelLike JinaChat
    PromptLayerChatOpenAI LiteLLM OCIGenAI SagemakerEndpoint DeepSeek HumanInputLLM
    """)


ROWS = (
    # ------------------------------------------------------------------ LangChain
    model("asks a model", """
        $LC.**.*Chat*().$RUN $LC.**.$LLM().$RUN $LC.**.$LLM()() $LC.**.*Chat*()()
        $LC.**.{init_chat_model,load_llm,load_chat_model,_init_chat_model_helper}().$RUN $LC.**.init_chat_model()()
        """),
    safe("counts tokens", """
        $LC.**.{get_num_tokens,get_num_tokens_from_messages,get_token_ids,count_tokens_approximately,trim_messages,filter_messages,
          merge_message_runs,convert_to_messages,messages_from_dict,messages_to_dict,get_buffer_string,get_name,get_graph,
          get_input_schema,get_output_schema,dict,json,copy,model_dump}
        """),
    model("computes embeddings", """
        $LC.**.*Embed*().{embed_query,embed_documents,aembed_query,aembed_documents,embed,aembed,embed_image}
        $LC.**.init_embeddings().{embed_query,embed_documents,aembed_query,aembed_documents}
        """),
    model("reranks with a model", """
        $LC.**.{*Rerank*,LLMChainExtractor,LLMChainFilter,CrossEncoder*,FlashrankRerank,CohereRerank}().{compress_documents,
          acompress_documents,rerank,score,invoke,ainvoke}
        """),
    model("runs a chain", """
        {langchain,langchain_classic,langchain_community}.**.chains.**.{invoke,ainvoke,run,arun,apply,aapply,call,acall,predict,apredict,
          batch,abatch,stream,astream,generate,predict_and_parse,combine_docs,acombine_docs,evaluate_strings}
        {langchain,langchain_classic,langchain_community}.{LLMChain,ConversationChain,RetrievalQA,SequentialChain,SQLDatabaseChain,
          LLMMathChain}().{invoke,ainvoke,run,arun,apply,predict,apredict,call,acall,batch,stream}
        {langchain,langchain_classic,langchain_community}.**.*Chain().{invoke,ainvoke,run,arun,apply,predict,apredict,call,acall,batch,
          abatch,stream,astream} {langchain,langchain_classic,langchain_community,langchain_experimental}.**.*Chain()()
        {langchain,langchain_classic,langchain_community}.**.*Chain.from_*().{invoke,ainvoke,run,arun,apply,predict,apredict,call,acall,
          batch,abatch,stream,astream} langchain_experimental.**.*Chain*().{invoke,ainvoke,run,arun}
        {langchain,langchain_classic,langchain_community}.**.{load_summarize_chain,load_qa_chain,create_retrieval_chain,
          create_stuff_documents_chain,create_sql_query_chain,create_history_aware_retriever,create_extraction_chain,create_tagging_chain,
          create_structured_output_runnable,create_openai_fn_runnable}().{invoke,ainvoke,run,arun,stream,astream,batch,abatch}
        """),
    model("runs an agent", """
        {langchain,langchain_classic,langchain_community,langchain_experimental}.**.{AgentExecutor,PlanAndExecute,
          ChatAgentExecutor}().{invoke,ainvoke,run,arun,stream,astream,call,acall,batch,abatch,iter}
        {langchain,langchain_classic}.**.{initialize_agent,create_openai_functions_agent,create_tool_calling_agent,
          create_openai_tools_agent,create_structured_chat_agent,create_json_chat_agent,create_xml_agent,
          create_self_ask_with_search_agent,load_agent}().{invoke,ainvoke,run,arun,stream,astream,plan,aplan}
        {langchain,langchain_classic}.agents.create_react_agent().{invoke,ainvoke,stream,astream}
        {langchain_community,langchain_experimental,langchain}.**.create_*_agent().{invoke,ainvoke,run,arun,stream,astream}
        {langchain,langchain_classic}.agents.AgentExecutor.from_agent_and_tools().{invoke,ainvoke,run,arun,stream,astream}
        langchain_classic.**.OpenAIAssistantRunnable().{invoke,ainvoke}
        langchain.agents.openai_assistant.OpenAIAssistantRunnable().{invoke,ainvoke}
        """, reason="an agent outside LangGraph starts from the beginning on a replay"),
    model("runs a remote chain", """
        langserve.RemoteRunnable().{invoke,ainvoke,stream,astream,batch,abatch}
        langserve.client.RemoteRunnable().{invoke,ainvoke,stream,astream,batch,abatch}
        """),
    model("extracts with a model", """
        langmem.{create_memory_manager,create_memory_store_manager,create_thread_extractor,create_prompt_optimizer,
          create_multi_prompt_optimizer,create_memory_searcher}().{invoke,ainvoke}() langmem.*().{invoke,ainvoke,__call__} langmem.*()()
        langmem.short_term.{summarize_messages,asummarize_messages} trustcall.create_extractor().{invoke,ainvoke,stream,astream}
        """),
    model("judges with a model", """
        openevals.**.*()() agentevals.**.*()() ragas.**.{evaluate,single_turn_score,single_turn_ascore,score,ascore}
        deepeval.**.{measure,a_measure,evaluate} langsmith.evaluate langsmith.aevaluate
        """),
    construct("makes a model or a wrapper of one", """
        $LC.**.*Chat* $LC.**.{init_chat_model,init_embeddings} $LC.**.$LLM $LC.**.*Embeddings
        $LC.**.{bind_tools,with_structured_output,bind,with_config,with_retry,with_fallbacks,with_types,configurable_fields,
          configurable_alternatives,pipe,assign,pick,map,as_tool,as_retriever,bind_functions,with_listeners}
        {langchain,langchain_classic,langchain_community,langchain_experimental}.**.{LLMChain,*Chain,AgentExecutor,initialize_agent,
          create_*_agent,create_*_chain,load_*_chain} {langchain,langchain_classic,langchain_community}.**.*Chain.from_* langmem.*
        trustcall.create_extractor openevals.* openevals.**
        """),
    # ------------------------------------------------------------------ OpenAI and its look-alikes
    model("asks a model", """
        openai.OpenAI().{chat.completions,responses}.{create,parse,stream} openai.OpenAI().{completions,moderations}.create
        openai.{ChatCompletion,Completion,Edit}.{create,acreate} openai.OpenAI().realtime.connect
        openai.OpenAI().threads.runs.{create,create_and_poll,stream,create_and_stream,submit_tool_outputs,submit_tool_outputs_and_poll,
          submit_tool_outputs_stream} openai.OpenAI().threads.{create_and_run,create_and_run_poll,create_and_run_stream}
        {groq,together,cerebras,fireworks,openrouter,deepseek,zai,zhipuai,volcenginesdkarkruntime,xai_sdk,sambanova,perplexity,nebius,
          portkey_ai,upstage,reka,aisuite,mlx_lm,llama_api_client,lmstudio,friendli}.**.{chat.completions,completions,responses}.{create,
          acreate,stream,parse} {fireworks.client,together}.{ChatCompletion,Complete,Completion}.{create,acreate}
        zhipuai.**.asyncCompletions.create xai_sdk.**.{sample,stream,parse} lmstudio.**.{respond,complete,act} aisuite.**.create
        """),
    model("draws an image", """
        openai.OpenAI().images.{generate,edit,create_variation} openai.Image.{create,acreate} litellm.{image_generation,aimage_generation}
        together.**.images.generate replicate.**.{run,async_run,stream} stability_sdk.**.generate
        google.genai.Client().**.{generate_images,edit_image,generate_videos}
        langchain_community.utilities.dalle_image_generator.DallEAPIWrapper().run diffusers.**.*()() runwayml.**.create
        """),
    model("transcribes or speaks with a model", """
        openai.OpenAI().audio.{transcriptions,translations,speech}.create openai.OpenAI().audio.speech.create
        elevenlabs.**.{generate,convert,stream,text_to_speech,convert_as_stream} assemblyai.**.transcribe
        deepgram.**.{transcribe_file,transcribe_url} groq.**.audio.*.create whisper.load_model().transcribe
        faster_whisper.WhisperModel().transcribe openai.Audio.{transcribe,atranscribe}
        google.cloud.{speech,texttospeech}.**.{recognize,synthesize_speech} edge_tts.**.save
        """),
    model("computes embeddings", """
        openai.OpenAI().embeddings.create openai.Embedding.{create,acreate}
        {groq,together,zhipuai,volcenginesdkarkruntime}.**.embeddings.create litellm.{embedding,aembedding} ollama.**.{embed,embeddings}
        ollama.{embed,embeddings} google.generativeai.{embed_content,embed_content_async} google.genai.Client().**.embed_content
        vertexai.**.get_embeddings mistralai.**.embeddings.{create,create_async} cohere.**.{embed,aembed}
        voyageai.**.{embed,contextualized_embed,multimodal_embed} huggingface_hub.**.feature_extraction
        llama_index.**.*Embedding*().{get_text_embedding,get_query_embedding,get_text_embedding_batch,aget_text_embedding,
          aget_query_embedding} dashscope.TextEmbedding.call
        """),
    model("reranks with a model", "cohere.**.rerank voyageai.**.rerank litellm.{rerank,arerank} dashscope.TextReRank.call"),
    safe("computes embeddings on this machine", """
        sentence_transformers.**.{encode,encode_query,encode_document,predict,rank,similarity} fastembed.**.{embed,query_embed}
        flashrank.**.rerank tiktoken.** transformers.AutoTokenizer.** transformers.**.*Tokenizer*().** tokenizers.**
        """, reason="a local model: nothing is paid and the same text gives the same numbers"),
    effect("uploads to the model provider", """
        openai.OpenAI().{files,uploads,vector_stores.files,vector_stores.file_batches}.create openai.OpenAI().uploads.upload_file_chunked
        openai.OpenAI().vector_stores.files.{upload,create_and_poll,upload_and_poll}
        openai.OpenAI().vector_stores.file_batches.{create_and_poll,upload_and_poll} google.generativeai.upload_file
        google.genai.Client().**.files.upload anthropic.Anthropic().files.upload groq.**.files.create
        """),
    effect("creates an object at the model provider", """
        openai.OpenAI().{fine_tuning.jobs,batches,assistants,threads,threads.messages,vector_stores,conversations,conversations.items,
          containers,evals}.create openai.{Assistant,File,FineTuningJob}.create anthropic.Anthropic().messages.batches.create
        google.genai.Client().**.{caches,batches,tunings}.{create,tune}
        """),
    read("reads from the model provider", """
        openai.OpenAI().**.{retrieve,list,content,search,poll} openai.OpenAI().models.*
        anthropic.Anthropic().**.{retrieve,list,count_tokens,results} google.genai.Client().**.{get,list,count_tokens,compute_tokens}
        ollama.**.{list,show,ps} ollama.{list,show,ps} litellm.{get_model_info,model_cost}
        """),
    # ------------------------------------------------------------------ Anthropic
    model("asks a model", "anthropic.Anthropic().messages.{create,stream,parse,tool_runner} anthropic.Anthropic().completions.create"),
    # ------------------------------------------------------------------ Google
    model("asks a model", """
        google.generativeai.GenerativeModel().{generate_content,generate_content_async}
        google.generativeai.GenerativeModel().start_chat().{send_message,send_message_async}
        google.generativeai.{generate_text,chat,generate_content} google.genai.Client().**.{generate_content,generate_content_stream}
        google.genai.Client().**.chats.create().{send_message,send_message_stream} google.genai.Client().**.live.connect
        google.genai.Client().**.interactions.create
        vertexai.**.{generate_content,generate_content_async,predict,predict_async,predict_streaming,send_message,send_message_async}
        google.cloud.aiplatform.**.{predict,generate_content,predict_async,raw_predict} google.ai.generativelanguage.**.generate_content
        """),
    # ------------------------------------------------------------------ other providers
    model("asks a model", """
        litellm.{completion,acompletion,text_completion,atext_completion,responses,aresponses,batch_completion,moderation,amoderation,
          batch_completion_models} litellm.Router().{completion,acompletion,text_completion,atext_completion,aresponses}
        litellm.main.{completion,acompletion} ollama.{chat,generate} ollama.Client().{chat,generate}
        mistralai.**.{chat.complete,chat.complete_async,chat.stream,chat.stream_async,chat.parse,chat.parse_async,agents.complete,
          agents.complete_async,agents.stream,fim.complete,conversations.start,conversations.append,ocr.process}
        mistralai.client.**.{chat,chat_stream} cohere.**.{chat,chat_stream,generate,classify,summarize} ai21.**.create ai21.**.complete
        dashscope.**.{call,acall} dashscope.Generation.call qianfan.**.{do,ado} zhipuai.model_api.{invoke,sse_invoke}
        huggingface_hub.{InferenceClient,AsyncInferenceClient}().*
        huggingface_hub.**.{text_generation,chat_completion,summarization,conversational} replicate.models.**.predict
        writerai.**.{chat,create} writer.**.chat.chat llama_cpp.Llama().{create_chat_completion,create_completion} llama_cpp.Llama()()
        gpt4all.GPT4All().generate vllm.LLM().{generate,chat} mlx_lm.{generate,stream_generate} transformers.**.{generate,predict}
        transformers.pipeline()() ibm_watsonx_ai.**.{generate,generate_text,chat,achat,generate_text_stream}
        azure.ai.inference.**.{complete,embed} oci.generative_ai_inference.**.{chat,generate_text} gigachat.**.{chat,achat,stream,astream}
        ctransformers.**.*()() databricks.**.predict mlflow.deployments.**.predict gradio_client.Client().{predict,submit}
        octoai.**.create anyscale.**.create g4f.**.create perplexity.**.create maritalk.**.generate fireworks.**.create unify.**.generate
        aleph_alpha_client.**.complete
        instructor.**.{create,create_partial,create_iterable,create_with_completion,chat.completions.create,messages.create,
          responses.create}
        boto3.client('bedrock-runtime').{invoke_model,invoke_model_with_response_stream,converse,converse_stream,apply_guardrail,
          start_async_invoke} boto3.client*.{invoke_model,converse,converse_stream,invoke_model_with_response_stream}
        boto3.client('sagemaker-runtime').{invoke_endpoint,invoke_endpoint_async}
        boto3.client('bedrock-agent-runtime').{retrieve_and_generate,retrieve_and_generate_stream}
        """),
    safe("works for a model client", """
        openai.** litellm.** ollama.** anthropic.** google.generativeai.** google.genai.** mistralai.** cohere.** huggingface_hub.**
        groq.** transformers.** vertexai.** instructor.** sentence_transformers.** fastembed.** dashscope.** together.** llama_cpp.**
        zhipuai.**
        """),
    read("downloads a model", """
        huggingface_hub.{snapshot_download,hf_hub_download,list_models,model_info}
        huggingface_hub.HfApi().{list_*,model_info,dataset_info} transformers.**.from_pretrained datasets.load_dataset nltk.download
        spacy.load whisper.load_model
        """),
    effect("pushes to the hub", """
        huggingface_hub.**.{upload_file,upload_folder,create_repo,create_commit,push_to_hub,delete_repo,duplicate_space}
        huggingface_hub.{upload_file,upload_folder,create_repo} transformers.**.push_to_hub datasets.**.push_to_hub
        """),
    # ------------------------------------------------------------------ agents outside LangGraph
    model("runs an agent", """
        boto3.client('bedrock-agent-runtime').{invoke_agent,invoke_inline_agent,invoke_flow}
        boto3.client('bedrock-agentcore').{invoke_agent_runtime,invoke_code_interpreter}
        crewai.**.{kickoff,kickoff_async,kickoff_for_each,kickoff_for_each_async,akickoff,execute_task,aexecute_task,execute_sync,
          execute_async,train} crewai.LLM().{call,acall} crewai.**.LLM().{call,acall} crewai.project.**.{kickoff,kickoff_async}
        pydantic_ai.**.{run,run_sync,run_stream,iter,run_stream_events,run_stream_sync,to_cli}
        pydantic_ai.direct.{model_request,model_request_sync,model_request_stream,model_request_stream_sync}
        agents.Runner.{run,run_sync,run_streamed} agents.run.Runner.{run,run_sync,run_streamed} swarm.Swarm().run
        autogen.**.{initiate_chat,a_initiate_chat,initiate_chats,generate_reply,a_generate_reply,run}
        autogen_agentchat.**.{run,run_stream,on_messages,on_messages_stream}
        autogen_core.**.{create,create_stream,send_message,publish_message} autogen_ext.models.**.{create,create_stream} strands.Agent()()
        strands.**.{invoke_async,stream_async,structured_output,structured_output_async,execute}
        agno.**.{run,arun,print_response,aprint_response,response,aresponse} phi.**.{run,arun,print_response} smolagents.**.run
        smolagents.**.*()() google.adk.**.{run,run_async,run_live,run_debug} claude_agent_sdk.query
        claude_agent_sdk.ClaudeSDKClient().{query,receive_response,receive_messages} claude_code_sdk.query
        claude_code_sdk.ClaudeSDKClient().{query,receive_response}
        semantic_kernel.**.{invoke,invoke_stream,invoke_prompt,get_response,get_chat_message_content,get_chat_message_contents,
          get_text_content,get_streaming_chat_message_contents} haystack.**.{run,run_async,warm_up_and_run} haystack_integrations.**.run
        dspy.**.{forward,aforward,acall} dspy.**.*()() agent_framework.**.{run,run_stream,get_response,get_streaming_response}
        camel.**.{step,astep} metagpt.**.run beeai_framework.**.run
        llama_index.**.{complete,acomplete,stream_complete,astream_complete,chat,achat,stream_chat,astream_chat,predict,apredict,
          structured_predict,astructured_predict,query,aquery,as_structured_llm,predict_and_call,call_tool,synthesize,asynthesize}
        llama_index.**.*Agent*().run llama_index.**.AgentWorkflow().run llama_index.**.*Extractor().{extract,aextract}
        vanna.**.{ask,generate_sql,generate_summary} pandasai.**.chat pandasai.**.{SmartDataframe,SmartDatalake}().chat
        browser_use.Agent().run gpt_researcher.GPTResearcher().{conduct_research,write_report} interpreter.chat
        letta_client.**.{create,create_stream,send_message} letta.**.send_message griptape.**.run magentic.**.*()()
        marvin.{run,extract,classify,cast,generate,say,run_async,extract_async,classify_async} outlines.**.*()() guidance.**.*()()
        mirascope.**.call txtai.**.{generate,search} swarms.**.run upsonic.**.do phoenix.evals.{llm_classify,llm_generate}
        controlflow.**.run atomic_agents.**.run langroid.**.{run,llm_response} composio_openai.**.handle_tool_calls scrapegraphai.**.run
        stagehand.**.{act,extract,observe} graphrag.**.{search,asearch} lightrag.LightRAG().{query,aquery} cognee.{search,cognify}
        nemoguardrails.**.{generate,generate_async} guardrails.Guard().{parse,validate}() guardrails.Guard()()
        """, reason="an agent outside LangGraph starts from the beginning on a replay"),
    model("runs a remote agent", """
        langgraph.pregel.remote.RemoteGraph().{invoke,ainvoke,stream,astream,astream_events}
        langgraph.pregel.RemoteGraph().{invoke,ainvoke,stream,astream}
        langgraph_sdk.{get_client,get_sync_client}().runs.{wait,stream,create,create_batch}
        langgraph_sdk.**.RunsClient().{wait,stream,create} langgraph_sdk.**.*LangGraphClient().runs.{wait,stream,create,create_batch}
        a2a.client.**.{send_message,send_message_streaming,send_task,send_streaming_message} a2a.**.{send_message,send_message_streaming}
        python_a2a.**.{ask,send_message,send_message_async} fasta2a.**.send_message
        acp_sdk.client.Client().{run_sync,run_async,run_stream}
        azure.ai.projects.**.{create_and_process,create_run,create_thread_and_run,create_and_process_run}
        azure.ai.agents.**.{create_and_process,runs.create,runs.create_and_process,create_thread_and_process_run}
        dify_client.**.create_chat_message coze.**.chat.{create,stream} cozepy.**.{create,stream,create_and_poll}
        vertexai.agent_engines.**.{query,stream_query,async_stream_query} copilotkit.**.execute ag_ui.**.run_agent
        """, reason="its pauses do not reach this graph and its run is not restored"),
    effect("calls a remote tool", """
        mcp.**.call_tool mcp.ClientSession().{call_tool,complete,send_request} mcp.client.**.call_tool fastmcp.**.call_tool
        langchain_mcp_adapters.**.call_tool mcp_use.**.{call_tool,run} composio.**.{execute_action,execute} arcadepy.**.tools.execute
        toolbox_core.**.*()() langchain_mcp_adapters.**.get_tools().{invoke,ainvoke}
        """, reason="what the tool does is unknown, but it is done twice"),
    read("asks an MCP server what it has", """
        mcp.**.{list_tools,list_resources,read_resource,list_prompts,get_prompt,initialize,send_ping}
        fastmcp.**.{list_tools,read_resource,list_resources,list_prompts,get_prompt,ping}
        langchain_mcp_adapters.**.{get_tools,load_mcp_tools,get_prompt,get_resources,load_mcp_prompt} composio.**.get_tools
        composio_langchain.**.get_tools
        """),
    safe("works for an agent library", """
        mcp.** fastmcp.** langchain_mcp_adapters.** a2a.** crewai.** pydantic_ai.** agents.{Agent,function_tool,handoff,RunContextWrapper}
        autogen_agentchat.** autogen_core.** strands.** agno.** google.adk.** claude_agent_sdk.** dspy.** smolagents.** semantic_kernel.**
        """),
    read("reads a remote agent's server", """
        langgraph_sdk.**.{get,list,search,get_state,get_history,get_graph,get_schemas,get_subgraphs,join,join_stream,get_item,
          search_items,list_namespaces,count,get_versions}
        """),
    effect("creates a thread on the server", """
        langgraph_sdk.**.threads.{create,copy}
        """, condition="keyed:1:thread_id", reason="with a stable thread_id it is found again"),
    effect("changes a remote agent's server", """
        langgraph_sdk.**.{assistants,crons,cron}.{create,create_for_thread} langgraph_sdk.**.threads.update_state
        """),
    safe("puts an item by key", "langgraph_sdk.**.store.put_item", condition="stable:1:key", reason="put by key"),
    safe("works for the SDK", "langgraph_sdk.**"),
    construct("makes a client", "langgraph_sdk.{get_client,get_sync_client} langgraph.pregel.remote.RemoteGraph"),
)

ALIASES = {
    "openai.{AsyncOpenAI,AzureOpenAI,AsyncAzureOpenAI,Client,AsyncClient}": "openai.OpenAI",
    "openai.lib.azure.{AzureOpenAI,AsyncAzureOpenAI}": "openai.OpenAI",
    "openai.OpenAI().beta": "openai.OpenAI()",
    # The module is a client, too.
    **{f"openai.{name}": f"openai.OpenAI().{name}" for name in (
        "chat", "completions", "responses", "embeddings", "images", "audio", "moderations", "files", "beta", "fine_tuning", "batches",
        "vector_stores", "models")},
    "langfuse.openai.{OpenAI,AsyncOpenAI,AzureOpenAI,AsyncAzureOpenAI}": "openai.OpenAI",
    "langfuse.openai.openai": "openai",
    "langsmith.wrappers.wrap_openai()": "openai.OpenAI()",
    "langsmith.wrappers.wrap_anthropic()": "anthropic.Anthropic()",
    "anthropic.{AsyncAnthropic,AnthropicBedrock,AsyncAnthropicBedrock,AnthropicVertex,AsyncAnthropicVertex}": "anthropic.Anthropic",
    "anthropic.{AnthropicFoundry,Client,AsyncClient}": "anthropic.Anthropic",
    "anthropic.Anthropic().beta": "anthropic.Anthropic()",
    "ollama.AsyncClient": "ollama.Client",
    "langchain_core.prompts.ChatPromptTemplate.{from_messages,from_template}()": "langchain_core.prompts.ChatPromptTemplate()",
    "google.genai.client.Client": "google.genai.Client",
}
RETURNS: dict[str, str] = {}
KEYED: frozenset[str] = frozenset()
