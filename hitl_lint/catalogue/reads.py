"""Looking at the outside world: environment, search, retrieval, public data."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, group, read, safe

group("SEARCH", """
    *Search* *Retriev* Wikipedia* Arxiv* PubMed* PubmedQuery* SerpAPI* Serp* GoogleSerper* Google*Results Bing* Brave* DuckDuckGo*
    Exa* You* Searx* Wolfram* OpenWeatherMap* YahooFinanceNews* Youtube* StackExchange* Tavily* Metaphor* SceneXplain*
    SemanticScholar* ReadFile* ListDirectory* FileSearch* InfoSQL* ListSQL* QuerySQLCheck* JsonGet* JsonList* RequestsGet*
    Firecrawl* Perplexity* Nasa* GoogleTrends* GoogleScholar* GoogleJobs* GoogleFinance* GoogleLens* GooglePlaces* Polygon*
    AlphaVantage*  O365Search* GmailSearch GmailGet* SlackGet* GitHubGet* Extract* *Extract
    """)

ROWS = (
    read("reads the environment", "os.{getenv,getenvb} os.environ.{get,items,keys,copy,values} environ.Env().** decouple.config"),
    read("searches", """
        $LC.**.$SEARCH().{invoke,ainvoke,run,arun,call,_run,_arun,results,aresults,load,get_relevant_documents,aget_relevant_documents,
          batch,abatch,stream,astream,raw_results,raw_results_async,get_summaries_as_docs}
        $LC.**.$SEARCH.from_*().{invoke,ainvoke,run,arun,get_relevant_documents,aget_relevant_documents}
        $LC.**.as_retriever().{invoke,ainvoke,get_relevant_documents,aget_relevant_documents,batch,abatch} $LC.**.as_retriever()()
        $LC.**.{similarity_search,asimilarity_search,similarity_search_with_score,asimilarity_search_with_score,
          similarity_search_with_relevance_scores,similarity_search_by_vector,max_marginal_relevance_search,
          amax_marginal_relevance_search,search,asearch,get_relevant_documents,aget_relevant_documents,get_by_ids,aget_by_ids,lazy_load,
          alazy_load,load_and_split,aload,scroll}
        $LC.**.*Loader().{load,aload,lazy_load,alazy_load,load_and_split,fetch_all,scrape,scrape_all,ascrape_all}
        $LC.**.create_retriever_tool().{invoke,ainvoke,run} langchain.tools.retriever.create_retriever_tool().{invoke,ainvoke,run}
        tavily.**.{search,extract,crawl,map,get_search_context,qna_search,get_company_info,research}
        exa_py.**.{search,search_and_contents,find_similar,find_similar_and_contents,get_contents,answer}
        serpapi.**.{get_dict,get_json,search,get_results} duckduckgo_search.**.{text,news,images,chat,videos,answers,maps}
        ddgs.**.{text,news,images,videos,books} linkup.**.search
        firecrawl.**.{scrape_url,crawl_url,map_url,search,scrape,crawl,extract,map,async_crawl_url} googlesearch.search
        wikipedia.{search,summary,page,suggest} wikipediaapi.**.page arxiv.**.results arxiv.Search().results scholarly.scholarly.**
        yfinance.** googlemaps.Client().** geopy.geocoders.**.{geocode,reverse} newsapi.** alpha_vantage.** pytube.**
        yt_dlp.**.extract_info youtube_transcript_api.** praw.**.{subreddit,submission,search,hot,top,new} feedparser.parse
        crawl4ai.**.{arun,run,arun_many} newspaper.**.{download,parse} trafilatura.fetch_url jina.** perplexity.**.search brave.**.search
        bing_search.** fredapi.** wbgapi.** nasdaqdatalink.** ccxt.**.fetch_* alpaca.data.** polygon.RESTClient().** finnhub.** pyowm.**
        openmeteo_requests.** meteostat.** amadeus.Client().**.get pytrends.** requests_html.** scrapy.** selectolax.**
        apify_client.**.{call,iterate_items,get_dataset} parallel.**.search valyu.**
        """),
    read("asks a database with a tool", """
        {langchain_community,langchain}.**.SQLDatabase.from_uri().{run,run_no_throw,get_table_info,get_usable_table_names,get_context}
        {langchain_community,langchain}.**.SQLDatabase().{run,run_no_throw,get_table_info,get_usable_table_names,get_context}
        {langchain_community,langchain}.**.SQLDatabaseToolkit().get_tools
        {langchain_community,langchain}.**.QuerySQL*Tool().{invoke,ainvoke,run,arun}
        """, condition="sql", reason="a statement that is not literal is taken for a read"),
    construct("makes a search client or a retriever", """
        $LC.**.$SEARCH $LC.**.*Loader $LC.**.create_retriever_tool tavily.{TavilyClient,AsyncTavilyClient} exa_py.Exa
        firecrawl.{FirecrawlApp,Firecrawl,AsyncFirecrawlApp} duckduckgo_search.DDGS ddgs.DDGS serpapi.{GoogleSearch,Client}
        """),
    read("pulls a prompt", """
        langchain.hub.pull langchainhub.** langsmith.Client().{pull_prompt,pull_prompt_commit} langfuse.**.get_prompt
        """),
    read("reads settings of a service", """
        consul.**.get hvac.**.{read_secret_version,read,read_secret} google.cloud.secretmanager.**.access_secret_version
        azure.keyvault.**.{get_secret,get_key} boto3.client('secretsmanager').get_secret_value
        boto3.client('ssm').{get_parameter,get_parameters,get_parameters_by_path} launchdarkly.** ldclient.**.variation
        keyring.get_password
        """),
    safe("works for a search client", """
        tavily.** exa_py.** firecrawl.** duckduckgo_search.** ddgs.** serpapi.** wikipedia.** arxiv.** feedparser.** crawl4ai.**
        """),
)

ALIASES: dict[str, str] = {}
RETURNS = {"os.getenv()": "str()", "os.environ.get()": "str()", "input()": "str()", "json.loads()": "dict()", "json.load()": "dict()"}
KEYED: frozenset[str] = frozenset()
