"""Databases, caches, document stores, vector stores.

INSERT without a conflict clause and UPDATE computed from its own column are effects; SELECT, DELETE, UPDATE to constants,
upsert and put by key are not. Where text decides (`execute("…")`) the condition `sql` reads it.
"""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, group, model, read, safe

group("DBAPI", """
    sqlite3 psycopg psycopg2 psycopg_pool pymysql MySQLdb mysql asyncpg aiosqlite aiomysql asyncmy aiopg pyodbc aioodbc oracledb
    cx_Oracle duckdb snowflake clickhouse_connect clickhouse_driver trino pymssql ibm_db ibm_db_dbi libsql libsql_client
    libsql_experimental sqlcipher3 pg8000 redshift_connector prestodb pyhive vertica_python teradatasql firebirdsql records dataset
    databases psqlpy apsw questdb singlestoredb phoenixdb hdbcli jaydebeapi turbodbc pysqlite3 crate datajoint
    """)
_PLAIN = "reported where the row is written"

ROWS = (
    # ------------------------------------------------------------------ DB-API and raw SQL
    read("runs SQL", """
        $DBAPI.**.{execute,executemany,executescript,execute_many,execute_async,executeasync,exec,fetch,fetchrow,fetchval,fetch_all,
          fetch_one,fetch_val,query,command,run,iterate,cursor.execute} django.db.**.{execute,executemany}
        tortoise.**.{execute_query,execute_insert,execute_script,execute_query_dict} peewee.**.execute_sql
        """, condition="sql", reason="a statement that is not literal is taken for a read"),
    read("runs SQL", "psycopg2.extras.{execute_values,execute_batch}", condition="sql:1"),
    effect("copies rows into a table", """
        $DBAPI.**.{copy_from,copy_expert,copy_records_to_table,copy_to_table,insert_many,insert,insert_df,insert_arrow,load_dataframe,
          write_pandas,append} snowflake.connector.pandas_tools.write_pandas
        """),
    safe("works on a database connection", "$DBAPI.**", reason=_PLAIN),
    construct("opens a database", """
        $DBAPI.{connect,create_pool,Connection,AsyncConnection,ConnectionPool,AsyncConnectionPool,Database,create_client,get_client,
          Client} $DBAPI.**.connect $DBAPI.**.{cursor,acquire}
        """),
    # ------------------------------------------------------------------ SQLAlchemy and SQLModel
    effect("adds a row", """
        sqlalchemy.orm.Session().{add,add_all}
        """, condition="orm-add", reason="an object that was loaded from the database is only saved again"),
    effect("inserts rows", "sqlalchemy.orm.Session().{bulk_save_objects,bulk_insert_mappings}"),
    read("runs SQL", """
        sqlalchemy.orm.Session().{execute,scalars,scalar,exec,stream,stream_scalars}
        sqlalchemy.Connection().{execute,scalars,scalar,exec_driver_sql,stream,stream_scalars} sqlalchemy.**.{execute,exec_driver_sql}
        """, condition="sql", reason="a statement that is not literal is taken for a read"),
    safe("updates rows", """
        sqlalchemy.orm.Session().query().**.update sqlalchemy.orm.Session().query().update
        """, condition="django-update", reason="to fixed values"),
    safe("saves rows that exist", "sqlalchemy.orm.Session().{bulk_update_mappings,merge}", reason="by primary key: safe to repeat"),
    safe("works in a session", """
        sqlalchemy.orm.Session().{commit,flush,rollback,refresh,expire,expire_all,expunge,expunge_all,close,delete,begin,begin_nested,
          run_sync,invalidate,get_bind,in_transaction,is_active,no_autoflush,connection}
        """, reason="the rows are reported where they are added; deleting twice is deleting once"),
    read("queries the database", """
        sqlalchemy.orm.Session().{query,get,get_one} sqlalchemy.orm.Session().query().**
        sqlalchemy.orm.Session().{execute,scalars,scalar,exec,get}().**
        """),
    safe("creates the tables that are missing", """
        sqlalchemy.**.{create_all,drop_all} sqlmodel.**.{create_all,drop_all} peewee.**.create_tables tortoise.Tortoise.generate_schemas
        """, reason="create_all looks first (checkfirst=True)"),
    safe("builds SQL", """
        sqlalchemy.** sqlmodel.** alembic.** pypika.** geoalchemy2.** sqlalchemy_utils.** flask_sqlalchemy.** flask_migrate.**
        """),
    construct("makes an engine or a session", """
        sqlalchemy.{create_engine,create_async_engine} sqlalchemy.orm.{sessionmaker,scoped_session,Session} sqlalchemy.Connection
        sqlalchemy.engine.{create_engine,Engine} flask_sqlalchemy.SQLAlchemy
        """),
    effect("runs a migration", """
        alembic.command.{upgrade,downgrade,stamp,revision}
        alembic.op.{create_table,add_column,drop_column,drop_table,create_index,bulk_insert,alter_column,rename_table}
        """),
    # ------------------------------------------------------------------ Django
    effect("creates a row", """
        django.db.models.**.objects.**.{create,acreate,bulk_create,abulk_create}
        django.db.models.**.{create,acreate,bulk_create,abulk_create} django.contrib.auth.**.{create_user,create_superuser}
        """),
    effect("saves a new row", "django.db.models.Model().{save,asave} django.forms.**.save rest_framework.**.save"),
    safe("saves a row that exists", "django.db.models.Model.objects.**.{save,asave}", reason="a fixed value is set again"),
    safe("updates rows", "django.db.models.**.{update,aupdate,bulk_update}", condition="django-update", reason="to fixed values"),
    safe("creates a row if it is missing", """
        django.db.models.**.{get_or_create,aget_or_create,update_or_create,aupdate_or_create}
        """, reason="looks first"),
    safe("deletes rows", "django.db.models.**.{delete,adelete}", reason="deleting twice is deleting once"),
    effect("adds to a relation", "django.db.models.**.objects.get().**.create"),
    read("queries the database", """
        django.db.models.**.{get,filter,all,exclude,first,last,count,exists,aget,afirst,acount,aexists,values,values_list,order_by,
          aggregate,annotate,refresh_from_db,in_bulk,select_related,prefetch_related} django.shortcuts.{get_object_or_404,get_list_or_404}
        """),
    safe("works with a model", """
        django.db.models.** django.db.transaction.** django.core.{exceptions,validators,serializers,paginator,signing}.** django.utils.**
        rest_framework.**
        """),
    effect("counts in the cache", "django.core.cache.cache.{incr,decr}"),
    safe("puts by key", "django.core.cache.**", reason="put by key"),
    effect("saves a file", "django.core.files.storage.**.save"),
    # ------------------------------------------------------------------ other ORMs
    effect("creates a row", """
        peewee.Model.{create,insert_many} peewee.Model.insert().execute peewee.Model.insert_many().execute peewee.**.bulk_create
        tortoise.**.{create,bulk_create} mongoengine.**.{create,insert} beanie.**.{insert_one,insert_many,insert,create}
        beanie.Document().save ormar.**.create ormar.**.bulk_create piccolo.**.insert prisma.**.{create,create_many} edgedb.**.insert
        gino.**.create odmantic.**.save_all gel.**.insert
        """),
    effect("saves a new row", """
        peewee.Model().save tortoise.**.Model().save mongoengine.**.Document().save ormar.Model().{save,insert} piccolo.**.Table().save
        """),
    safe("looks first or sets a fixed value", """
        {peewee,tortoise,mongoengine,beanie,ormar,piccolo,prisma,odmantic,gino}.**.{get_or_create,update_or_create,upsert,replace,
          upsert_one,modify,on_conflict_ignore,on_conflict_replace,get_or_none,save,set,delete,delete_instance,delete_many,update_many,
          bulk_update,bulk_upsert} pynamodb.**.{save,delete}
        """, reason="safe to repeat"),
    safe("updates rows", """
        {peewee,tortoise,mongoengine,beanie,ormar,piccolo,prisma,gino}.**.update
        """, condition="peewee-update", reason="to fixed values"),
    effect("counts or grows a document", "beanie.**.{inc,push} mongoengine.**.{inc,push}"),
    read("queries the database", "{peewee,tortoise,mongoengine,beanie,ormar,piccolo,prisma,odmantic,gino,edgedb,gel,pynamodb}.**"),
    # ------------------------------------------------------------------ MongoDB
    effect("inserts a document", """
        pymongo.**.{insert_one,insert_many,insert,bulk_write} gridfs.**.{put,upload_from_stream,open_upload_stream}
        """),
    safe("updates a document", """
        pymongo.**.{update_one,update_many,find_one_and_update,update,find_and_modify}
        """, condition="mongo-update", reason="$set is safe; $inc, $push, $mul, $pop are not"),
    safe("replaces or deletes documents", """
        pymongo.**.{replace_one,find_one_and_replace,delete_one,delete_many,find_one_and_delete,create_index,create_indexes,drop,
          drop_index,ensure_index}
        """, reason="safe to repeat"),
    effect("creates a collection", "pymongo.**.create_collection", reason="the second run raises CollectionInvalid"),
    read("queries documents", """
        pymongo.**.{find,find_one,aggregate,count_documents,distinct,estimated_document_count,list_collection_names,watch,to_list}
        gridfs.**
        """),
    safe("works on a database connection", "pymongo.** bson.**"),
    # ------------------------------------------------------------------ Redis
    effect("counts or grows a value", """
        redis.Redis().**.{incr,incrby,incrbyfloat,decr,decrby,hincrby,hincrbyfloat,zincrby,append,setrange}
        redis.Redis().**.{lpush,rpush,lpushx,rpushx,linsert,xadd}
        """),
    effect("takes a value", """
        redis.Redis().**.{lpop,rpop,blpop,brpop,spop,zpopmin,zpopmax,bzpopmin,bzpopmax,rpoplpush,brpoplpush,lmove,blmove,getdel,lmpop,
          blmpop,xreadgroup}
        """),
    effect("publishes a message", "redis.Redis().**.{publish,spublish} redis.asyncio.**.publish"),
    safe("puts by key", """
        redis.Redis().**.{set,setex,psetex,mset,hset,hmset,getset}
        """, condition="stable:0:name", reason="put by key; a key made anew in every run is one more"),
    safe("sets a fixed value", """
        redis.Redis().**.{setnx,msetnx,hsetnx,sadd,srem,zadd,zrem,hdel,delete,unlink,expire,expireat,persist,pexpire,ltrim,lset,lrem,
          pfadd,geoadd,setbit,flushdb,flushall,rename,json.set,xack,xgroup_create,lock,pipeline,multi_exec,execute,eval,script_load}
        """, reason="safe to repeat"),
    read("reads Redis", "redis.Redis().**"),
    safe("opens Redis", "redis.** redisvl.** redis_om.**"),
    # ------------------------------------------------------------------ search engines
    effect("indexes a document", "{elasticsearch,opensearchpy}.**.index", condition="keyed:9:id", reason="with a stable id it is a put"),
    effect("indexes documents", """
        {elasticsearch,opensearchpy}.helpers.{bulk,async_bulk,streaming_bulk,parallel_bulk}
        {elasticsearch,opensearchpy}.**.{bulk,create,indices.create} meilisearch.**.create_index
        """),
    safe("updates or deletes by id", """
        {elasticsearch,opensearchpy}.**.{update,delete,delete_by_query,update_by_query,put_mapping,indices.delete,indices.refresh}
        meilisearch.**.{add_documents,update_documents,delete_document} typesense.**.{upsert,delete,update}
        algoliasearch.**.{save_object,save_objects,delete_object,partial_update_object,replace_all_objects}
        """, reason="safe to repeat"),
    effect("indexes a document", "typesense.**.create algoliasearch.**.add_object"),
    read("searches", "{elasticsearch,opensearchpy,meilisearch,typesense,algoliasearch,whoosh,pysolr}.**"),
    # ------------------------------------------------------------------ hosted databases
    effect("inserts a row", """
        supabase.Client().**.insert().**.execute supabase.Client().**.insert().execute postgrest.**.insert().**.execute
        postgrest.**.insert().execute
        """),
    effect("uploads a file", """
        supabase.Client().storage.**.upload supabase.Client().storage.**.{move,copy,create_bucket}
        """, reason="the second upload of the same path fails unless it is an upsert"),
    effect("creates a user", """
        supabase.Client().auth.{sign_up,sign_in_with_otp,reset_password_email,reset_password_for_email,invite_user_by_email}
        supabase.Client().auth.admin.{create_user,invite_user_by_email}
        """),
    effect("calls an edge function", "supabase.Client().functions.invoke"),
    read("calls a stored procedure", """
        supabase.Client().**.rpc().execute supabase.Client().rpc().execute
        """, reason="what it does is unknown: nothing is said"),
    safe("changes rows by key", """
        supabase.Client().**.{upsert,update,delete}().**.execute supabase.Client().**.{upsert,update,delete}().execute
        """, reason="safe to repeat"),
    read("queries the database", "supabase.Client().**.execute supabase.Client().**"),
    construct("makes a client", "supabase.{Client,create_client} supabase.**"),
    effect("adds a document", """
        google.cloud.firestore.Client().**.add google.cloud.firestore.Client().**.create
        """, reason="add makes a new id; create raises the second time"),
    safe("sets a document", """
        google.cloud.firestore.Client().**.set
        """, condition="document-set", reason="put by key; document() without a key makes a new one"),
    safe("updates or deletes a document", """
        google.cloud.firestore.Client().**.{update,delete,commit}
        """, condition="firestore-update", reason="Increment counts"),
    read("reads documents", """
        google.cloud.firestore.Client().** firebase_admin.db.**.get
        firebase_admin.auth.{get_user,verify_id_token,get_user_by_email,list_users}
        """),
    effect("pushes to the database", """
        firebase_admin.db.**.{push,transaction} firebase_admin.messaging.{send,send_all,send_multicast,send_each,send_each_for_multicast}
        firebase_admin.auth.create_user
        """),
    safe("works for Firebase", "google.cloud.firestore.** firebase_admin.**"),
    safe("puts an item", """
        boto3.resource('dynamodb').Table().put_item boto3.client('dynamodb').put_item boto3.resource('dynamodb').**.put_item
        boto3.**.Table().put_item boto3.client*.put_item
        """, condition="put-item", reason="put by key; a key made anew in every run is one more"),
    safe("updates an item", """
        boto3.resource('dynamodb').Table().update_item boto3.client('dynamodb').update_item boto3.**.Table().update_item
        boto3.client*.update_item
        """, condition="dynamo-update", reason="SET to a value is safe; ADD and `n + :x` are not"),
    safe("deletes an item", """
        boto3.**.Table().{delete_item,batch_writer} boto3.client*.{delete_item,batch_write_item,transact_write_items}
        """, reason="by key"),
    read("reads items", "boto3.**.Table().{get_item,query,scan,load} boto3.client*.{get_item,query,scan,batch_get_item}"),
    read("runs SQL", """
        google.cloud.bigquery.**.{query,query_and_wait} databricks.sql.**.{execute,executemany} pyspark.**.sql
        awswrangler.**.read_sql_query
        """, condition="sql"),
    effect("inserts rows", """
        google.cloud.bigquery.**.{insert_rows,insert_rows_json,insert_rows_from_dataframe,load_table_from_dataframe,load_table_from_json,
          load_table_from_file,load_table_from_uri,create_table,create_dataset}
        google.cloud.{spanner,spanner_v1}.**.{insert,run_in_transaction} google.cloud.bigtable.**.mutate_row
        """),
    read("reads rows", "google.cloud.bigquery.** google.cloud.{spanner,spanner_v1,bigtable,datastore,firestore_v1}.**"),
    safe("puts an entity", "google.cloud.datastore.**.put", reason="put by key"),
    effect("creates an item", """
        azure.cosmos.**.create_item azure.data.tables.**.create_entity
        """, reason="the second run raises, or makes one more"),
    safe("upserts an item", """
        azure.cosmos.**.{upsert_item,replace_item,delete_item,patch_item,create_database_if_not_exists,create_container_if_not_exists}
        azure.data.tables.**.{upsert_entity,update_entity,delete_entity}
        """, reason="put by key"),
    read("reads items", "azure.cosmos.** azure.data.tables.**"),
    effect("runs a graph query", """
        neo4j.**.{run,execute_query} langchain_neo4j.**.query langchain_community.graphs.**.query neomodel.db.cypher_query py2neo.**.run
        falkordb.**.query kuzu.**.execute memgraph.**.execute
        """, condition="cypher", reason="CREATE is an effect, MERGE and MATCH are not; what is not literal is taken for a read"),
    effect("adds to a graph", """
        {langchain_neo4j,langchain_community,langchain_experimental}.**.{add_graph_documents,aadd_graph_documents}
        neomodel.**.{create,save,connect} py2neo.**.create graphiti_core.**.{add_episode,add_triplet,add_episode_bulk}
        zep_cloud.**.{graph.add,memory.add,thread.add_messages,user.add}
        """),
    read("runs CQL", "cassandra.**.{execute,execute_async}", condition="sql"),
    read("reads a graph", "neo4j.** neomodel.** py2neo.** graphiti_core.** zep_cloud.** cassandra.**"),
    effect("adds a point", "influxdb_client.**.write influxdb.**.write_points influxdb_client_3.**.write"),
    effect("inserts a row", """
        pocketbase.**.create appwrite.**.{create_document,create_row,create_file,create_execution} airtable.**.{insert,batch_insert}
        pyairtable.**.{create,batch_create} convex.**.{mutation,action} fauna.**.query nocodb.**.create surrealdb.**.{create,insert}
        tinydb.**.{insert,insert_multiple} pymilvus.**.insert replit.db.**.append rethinkdb.**.insert couchdb.**.save arango.**.insert
        couchbase.**.insert mem0.**.add
        """),
    safe("updates by key", """
        {pocketbase,appwrite,airtable,pyairtable,surrealdb,tinydb,etcd3,couchbase,arango,xata}.**.{update,update_document,upsert,delete,
          delete_document,replace,batch_update,merge,put,remove,batch_upsert}
        """, reason="by key"),
    read("queries the database", """
        {pocketbase,appwrite,airtable,pyairtable,surrealdb,tinydb,etcd3,couchbase,arango,xata,influxdb_client,convex,mem0}.**
        """),
    # ------------------------------------------------------------------ vector stores
    effect("adds documents to a vector store", """
        {langchain,langchain_core,langchain_community,langchain_classic,langchain_*}.**.{add_documents,aadd_documents,add_texts,
          aadd_texts,add_embeddings,add_images,upload_documents,aadd_embeddings}
        """, condition="vector-ids", reason="with stable ids it overwrites"),
    effect("fills a vector store", """
        {langchain,langchain_core,langchain_community,langchain_classic,langchain_*}.**.{from_documents,afrom_documents,from_texts,
          afrom_texts,from_embeddings}
        """, condition="vector-ids", reason="with stable ids it overwrites"),
    model("computes embeddings", """
        {langchain,langchain_core,langchain_community,langchain_classic,langchain_*}.**.{FAISS,InMemoryVectorStore,DocArrayInMemorySearch,
          SKLearnVectorStore,Annoy}.{from_documents,afrom_documents,from_texts,afrom_texts,from_embeddings}
        langchain_core.vectorstores.**.{add_documents,aadd_documents,add_texts,aadd_texts}
        """, reason="the store is in memory: nothing outside changes"),
    safe("makes an index of words", """
        {langchain,langchain_core,langchain_community,langchain_classic}.**.{BM25Retriever,TFIDFRetriever,SVMRetriever,KNNRetriever,
          EnsembleRetriever,MultiQueryRetriever,ContextualCompressionRetriever,ParentDocumentRetriever,
          SelfQueryRetriever}.{from_documents,from_texts,from_llm}
        """, reason="in memory"),
    effect("writes the index to disk", """
        {langchain_community,langchain_core,langchain}.**.{save_local,dump,persist} llama_index.**.persist
        """),
    safe("indexes by hash", "langchain.indexes.{index,aindex} langchain_core.indexing.{index,aindex}", reason="skips what is there"),
    safe("upserts vectors", """
        pinecone.**.{upsert,update,delete,upsert_records,upsert_from_dataframe}
        qdrant_client.**.{upsert,upload_points,upload_collection,set_payload,delete,overwrite_payload,update_vectors,recreate_collection,
          create_payload_index} chromadb.**.{upsert,update,delete,get_or_create_collection,delete_collection}
        weaviate.**.{replace,update,delete,delete_by_id,delete_many} pymilvus.**.{upsert,delete,load,flush} turbopuffer.**.{write,upsert}
        vespa.**.feed_data_point upstash_vector.**.upsert lancedb.**.{merge_insert,delete,update}
        """, reason="upsert: safe to repeat with stable ids"),
    effect("adds vectors", "chromadb.**.add", condition="keyed:0:ids", reason="an id that is there is left alone"),
    effect("adds vectors", """
        qdrant_client.**.{add,create_collection}
        weaviate.**.{data_object.create,data.insert,data.insert_many,insert,insert_many,add_object,add_data_object,collections.create,
          schema.create_class} pymilvus.**.{insert,create_collection} lancedb.**.{add,create_table}
        pinecone.**.{create_index,create_index_for_model} chromadb.**.create_collection marqo.**.add_documents
        deeplake.**.{add,append,extend}
        """),
    read("searches vectors", """
        {pinecone,qdrant_client,chromadb,weaviate,pymilvus,lancedb,turbopuffer,vespa,upstash_vector,marqo,deeplake}.**
        """),
    construct("makes a vector store client", """
        {pinecone.Pinecone,qdrant_client.QdrantClient,qdrant_client.AsyncQdrantClient,chromadb.Client,chromadb.PersistentClient,
          chromadb.HttpClient,chromadb.EphemeralClient,chromadb.AsyncHttpClient,weaviate.Client,pymilvus.MilvusClient,pymilvus.Collection,
          lancedb.connect,lancedb.connect_async} weaviate.connect_to_*
        """),
    safe("builds points", """
        qdrant_client.{models,http}.** weaviate.{classes,auth}.** pymilvus.{FieldSchema,CollectionSchema,DataType}
        chromadb.{config,utils}.** pinecone.{ServerlessSpec,PodSpec}
        """),
    model("computes embeddings", """
        llama_index.**.{VectorStoreIndex,SummaryIndex,KnowledgeGraphIndex,PropertyGraphIndex,DocumentSummaryIndex,TreeIndex,
          SimpleVectorStore}.{from_documents,from_nodes} llama_index.**.{insert,insert_nodes,refresh_ref_docs}
        llama_index.**.IngestionPipeline().{run,arun}
        """),
    read("retrieves", """
        llama_index.**.{retrieve,aretrieve,load_data,aload_data,lazy_load_data}
        llama_index.core.{load_index_from_storage,StorageContext.from_defaults}
        """),
    safe("works for the index", "llama_index.** faiss.**"),
)

ALIASES = {
    "sqlalchemy.ext.asyncio.AsyncSession": "sqlalchemy.orm.Session",
    "sqlalchemy.ext.asyncio.session.AsyncSession": "sqlalchemy.orm.Session",
    "sqlalchemy.orm.session.Session": "sqlalchemy.orm.Session",
    "sqlmodel.Session": "sqlalchemy.orm.Session",
    "sqlmodel.orm.session.Session": "sqlalchemy.orm.Session",
    "sqlmodel.ext.asyncio.session.AsyncSession": "sqlalchemy.orm.Session",
    "sqlalchemy.ext.asyncio.async_sessionmaker": "sqlalchemy.orm.sessionmaker",
    "sqlalchemy.ext.asyncio.async_scoped_session": "sqlalchemy.orm.scoped_session",
    "sqlalchemy.ext.asyncio.create_async_engine": "sqlalchemy.create_engine",
    "sqlalchemy.ext.asyncio.engine.create_async_engine": "sqlalchemy.create_engine",
    "sqlalchemy.ext.asyncio.AsyncConnection": "sqlalchemy.Connection",
    "sqlalchemy.engine.{Connection,base.Connection}": "sqlalchemy.Connection",
    "sqlalchemy.ext.asyncio.AsyncEngine": "sqlalchemy.engine.Engine",
    "sqlalchemy.orm.session.sessionmaker": "sqlalchemy.orm.sessionmaker",
    "sqlmodel.create_engine": "sqlalchemy.create_engine",
    "flask_sqlalchemy.SQLAlchemy().session": "sqlalchemy.orm.Session()",
    "pymongo.{AsyncIOMotorClient,MotorClient}": "pymongo.MongoClient",
    "motor.{motor_asyncio,motor_tornado}": "pymongo",
    "pymongo.AsyncMongoClient": "pymongo.MongoClient",
    "pymongo.asynchronous": "pymongo",
    "redis.asyncio.{Redis,StrictRedis,RedisCluster}": "redis.Redis",
    "redis.asyncio.client.Redis": "redis.Redis",
    "redis.client.Redis": "redis.Redis",
    "redis.{StrictRedis,RedisCluster}": "redis.Redis",
    "{aioredis,fakeredis,coredis,upstash_redis}.{Redis,StrictRedis,FakeRedis,FakeStrictRedis,RedisCluster}": "redis.Redis",
    "valkey.{Valkey,StrictValkey,ValkeyCluster}": "redis.Redis",
    "{valkey,upstash_redis}.asyncio.{Redis,Valkey}": "redis.Redis",
    "redis.sentinel.Sentinel().{master_for,slave_for}()": "redis.Redis()",
    "google.cloud.firestore.AsyncClient": "google.cloud.firestore.Client",
    "google.cloud.firestore_v1.{Client,AsyncClient}": "google.cloud.firestore.Client",
    "firebase_admin.firestore.client()": "google.cloud.firestore.Client()",
    "firebase_admin.firestore_async.client()": "google.cloud.firestore.Client()",
    "supabase.{create_client,acreate_client,create_async_client}()": "supabase.Client()",
    "supabase.{AsyncClient,client.Client}": "supabase.Client",
    "supabase.client.create_client()": "supabase.Client()",
    "supabase._async.client.{AsyncClient,create_client}": "supabase.Client",
    "mysql.connector.aio": "mysql.connector",
    "duckdb.sql": "duckdb.query",
    "tortoise.models.Model": "tortoise.Model",
    "peewee_async": "peewee",
    "playhouse.**.Model": "peewee.Model",
}

# What calling (or entering) something gives.
RETURNS = {
    "sqlalchemy.orm.sessionmaker()()": "sqlalchemy.orm.Session()",
    "sqlalchemy.orm.sessionmaker().begin()": "sqlalchemy.orm.Session()",
    "sqlalchemy.orm.scoped_session()": "sqlalchemy.orm.Session()",
    "sqlalchemy.orm.Session()()": "sqlalchemy.orm.Session()",
    "sqlalchemy.orm.Session().begin()": "sqlalchemy.orm.Session()",
    "sqlalchemy.orm.Session().begin_nested()": "sqlalchemy.orm.Session()",
    "sqlalchemy.orm.Session().connection()": "sqlalchemy.Connection()",
    "sqlalchemy.{create_engine,engine.create_engine}().{connect,begin,raw_connection}()": "sqlalchemy.Connection()",
    "sqlalchemy.engine.Engine().{connect,begin,raw_connection}()": "sqlalchemy.Connection()",
    "sqlalchemy.Connection().{begin,begin_nested,execution_options,cursor}()": "sqlalchemy.Connection()",
    "redis.{from_url,asyncio.from_url,Redis.from_url,Redis.from_pool}()": "redis.Redis()",
    "redis.Redis().{pipeline,client}()": "redis.Redis()",
    "{aioredis,valkey}.from_url()": "redis.Redis()",
    "redis.asyncio.utils.from_url()": "redis.Redis()",
    "langgraph.types.Runtime()": "langgraph.runtime.Runtime()",
}
KEYED: frozenset[str] = frozenset()
