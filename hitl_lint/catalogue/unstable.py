"""Sources of values that differ in every run: clock, random numbers, ids."""

from __future__ import annotations

from hitl_lint.catalogue.entry import safe, unstable

ROWS = (
    unstable("reads the clock", """
        time.{time,time_ns,perf_counter,perf_counter_ns,monotonic,monotonic_ns,process_time,process_time_ns,thread_time,thread_time_ns,
          ctime,asctime,localtime,gmtime,clock_gettime,strftime} datetime.datetime.{now,utcnow,today} datetime.date.today
        arrow.{now,utcnow} arrow.Arrow.{now,utcnow} pendulum.{now,today,tomorrow,yesterday} pendulum.DateTime.{now,utcnow,today}
        django.utils.timezone.{now,localtime,localdate} pandas.Timestamp.{now,utcnow,today} delorean.{utcnow,now}
        whenever.**.{now,now_in_system_tz} udatetime.{now,utcnow} maya.now moment.now asyncio.get_event_loop().time
        asyncio.get_running_loop().time timeit.{default_timer,timeit} anyio.current_time trio.current_time astropy.time.Time.now
        numpy.datetime64.now email.utils.{localtime,formatdate,make_msgid} dateutil.utils.today jdatetime.**.now
        """),
    unstable("makes a random number", """
        random.* random random.SystemRandom().* numpy.random.* numpy.random.Generator().*
        torch.{rand,randn,randint,randperm,normal} secrets.{choice,randbelow,randbits,SystemRandom} secrets.SystemRandom().* jax.random.*
        tensorflow.random.* scipy.stats.**.rvs sklearn.utils.shuffle os.{urandom,getrandom} faker.Faker().* mimesis.* names.get_full_name
        randomname.* coolname.* petname.* haikunator.* namegenerator.gen pandas.**.sample
        """),
    unstable("makes a random number", """
        random.Random().* numpy.random.{default_rng,RandomState}().*
        """, condition="seeded", reason="a generator that is made here from a stable seed gives the same numbers again"),
    unstable("makes a random id", """
        uuid.{uuid1,uuid4,uuid6,uuid7,uuid8,getnode} uuid_utils.{uuid1,uuid4,uuid6,uuid7} uuid6.{uuid6,uuid7}
        uuid_extensions.{uuid7,uuid7str} secrets.{token_hex,token_urlsafe,token_bytes} ulid.{new,ULID} ulid.* nanoid.*
        shortuuid.{uuid,random,ShortUUID} shortuuid.ShortUUID().{uuid,random} cuid.* cuid2.* ksuid.* bson.ObjectId bson.objectid.ObjectId
        xid.* snowflake_id.* snowflake.SnowflakeGenerator().* tsidpy.* pyulid.* fastuuid.uuid4 langchain_core.utils.uuid.uuid7
        langgraph._internal.**.uuid* langsmith.uuid7 django.utils.crypto.get_random_string werkzeug.security.gen_salt bcrypt.gensalt
        django.core.management.utils.get_random_secret_key
        """),
    safe("makes the same id from the same name", """
        uuid.{uuid3,uuid5,UUID} uuid.{uuid3,uuid5,UUID}().** uuid.NAMESPACE_*.** uuid_utils.{uuid3,uuid5,UUID}
        ulid.{parse,from_str,from_uuid,from_timestamp} shortuuid.{encode,decode} bson.objectid.ObjectId.from_datetime
        """, reason="computed from its arguments"),
    safe("formats a time or an id that was made before", """
        datetime.datetime.{now,utcnow,today}().** datetime.date.today().** uuid.{uuid1,uuid4,uuid6,uuid7}().** pandas.Timestamp.now().**
        time.*().**
        """, reason="the source is the inner call; what is done with its value makes nothing new"),
    safe("works with a value that was drawn before", """
        random.** numpy.random.** secrets.** faker.** ulid.** nanoid.** cuid2.** shortuuid.**
        """, reason="the source is the inner call"),
    safe("seeds the random numbers", """
        random.{seed,setstate,getstate} numpy.random.{seed,default_rng,RandomState,get_state} torch.manual_seed faker.Faker.seed
        transformers.set_seed
        """, reason="makes what follows repeatable"),
    safe("makes a generator", """
        random.{Random,SystemRandom} numpy.random.{Generator,PCG64,SeedSequence} faker.Faker secrets.compare_digest
        """, reason="only makes the generator; taking a number from it is unstable"),
    safe("works with dates", """
        datetime.{datetime,date,time,timedelta,timezone}
        datetime.datetime.{fromisoformat,fromtimestamp,strptime,combine,utcfromtimestamp,fromordinal} datetime.** dateutil.** calendar.**
        zoneinfo.** pytz.** arrow.** pendulum.** time.{sleep,strptime,mktime,tzset} humanize.** dateparser.** isodate.** tzlocal.**
        babel.** whenever.**
        """),
)

ALIASES: dict[str, str] = {}
RETURNS: dict[str, str] = {}
KEYED: frozenset[str] = frozenset()
# Unstable calls that change what they are given instead of giving something back.
IN_PLACE = frozenset({"shuffle"})
# A duration that is called this is the time that the answer took, which starts anew with the answer; any other is how long the work took.
WAITING = frozenset("wait waits waited waiting response reaction answer human reviewer thinking".split())
