"""Processes, containers, remote shells, code execution."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, read, safe

_LOOKS = "a command line that only looks (`ls`, `git status`) is a read"

ROWS = (
    effect("runs a subprocess", """
        subprocess.{run,call,check_call,check_output,Popen,getoutput,getstatusoutput} os.{system,popen,posix_spawn,posix_spawnp}
        asyncio.create_subprocess_shell asyncio.subprocess.create_subprocess_shell anyio.{run_process,open_process} pexpect.{spawn,run}
        plumbum.**.{run,popen} sh.Command()() invoke.run invoke.Context().{run,sudo} trio.run_process pty.spawn
        """, condition="command", reason=_LOOKS),
    effect("runs a subprocess", """
        asyncio.create_subprocess_exec asyncio.subprocess.create_subprocess_exec
        """, condition="command:exec", reason=_LOOKS),
    effect("runs a subprocess", """
        os.{spawnl,spawnle,spawnlp,spawnv,spawnve,spawnvp,execl,execle,execlp,execv,execve,execvp,startfile}
        webbrowser.{open,open_new,open_new_tab}
        """),
    effect("signals a process", """
        os.{kill,killpg} signal.{raise_signal,pthread_kill} subprocess.Popen().{kill,terminate,send_signal}
        psutil.Process().{kill,terminate,suspend}
        """),
    safe("talks to the process that was started", """
        subprocess.Popen().** asyncio.create_subprocess_*().** asyncio.subprocess.** anyio.open_process().**
        """, reason="reported once, where it is started"),
    safe("describes a process", "subprocess.** shlex.** pexpect.**"),
    read("reads the machine", """
        psutil.** platform.** os.{cpu_count,getpid,getppid,getlogin,getloadavg,uname,environ,getuid} resource.** GPUtil.**
        """),
    effect("runs a container", """
        docker.**.{run,restart,exec_run,create,kill,put_archive} docker.DockerClient().containers.{run,create}
        """),
    safe("sets the state of a container", """
        docker.**.{start,stop,remove,build,pull,push,prune,pause,unpause}
        """, reason="done twice is done once"),
    construct("makes a docker client", "docker.{from_env,DockerClient,APIClient}"),
    read("looks at containers", "docker.**.{get,list,logs,inspect_container,status,stats,attrs,wait}"),
    effect("runs a remote command", """
        fabric.Connection().{run,sudo,local,put,get} fabric.Group().run paramiko.**.{exec_command,invoke_shell,send}
        asyncssh.**.{run,create_process} netmiko.**.{send_command,send_config_set,send_config_from_file,commit,save_config}
        """, condition="command", reason=_LOOKS),
    effect("writes a remote file", """
        paramiko.**.{put,mkdir,remove,rename,rmdir,putfo} ftplib.**.{storbinary,storlines,delete,mkd,rename,rmd}
        pysftp.**.{put,remove,mkdir} asyncssh.**.put
        """),
    read("reads a remote file", """
        paramiko.**.{get,listdir,open,stat,getfo} ftplib.**.{nlst,retrbinary,retrlines,dir} pysftp.**.{get,listdir}
        """),
    safe("connects", "paramiko.** ftplib.** fabric.** asyncssh.** docker.** netmiko.**"),
    effect("changes a cluster", """
        kubernetes.client.**.{create_*,patch_*} kubernetes.utils.create_from_yaml kubernetes.dynamic.**.{create,patch}
        kubernetes_asyncio.client.**.{create_*,patch_*} kubernetes.client.**.connect_*_exec kubernetes.stream.stream
        """),
    safe("replaces or deletes an object of the cluster", """
        {kubernetes,kubernetes_asyncio}.client.**.{replace_*,delete_*}
        """, reason="PUT and DELETE"),
    read("looks at a cluster", """
        kubernetes.client.**.{list_*,read_*,get_*} kubernetes.config.** kubernetes_asyncio.client.**.{list_*,read_*}
        """),
    safe("makes a cluster client", "kubernetes.** kubernetes_asyncio.**"),
    effect("changes a git repository", """
        git.Repo().**.{commit,push,merge,create_head,create_tag,clone,create_remote,rebase,apply,rm,mv,tag,move} git.Repo.clone_from
        git.Repo().git.* dulwich.porcelain.{commit,push,clone,init,tag_create,branch_create}
        pygit2.**.{create_commit,create_branch,create_tag,push}
        """),
    safe("brings a git repository up to date", """
        git.Repo().**.{add,checkout,pull,fetch,reset} git.Repo().git.{add,checkout,pull,fetch,reset} git.Repo.init
        dulwich.porcelain.{add,pull}
        """, reason="done twice is done once"),
    read("looks at a git repository", """
        git.Repo().git.{status,log,diff,show,rev_parse,ls_files,blame,branch,describe,rev_list,ls_remote} git.Repo().** git.Repo
        dulwich.** pygit2.**
        """),
    # code that a model wrote
    effect("runs code", """
        langchain_experimental.utilities.PythonREPL().run langchain_experimental.**.Python*REPL*().{run,invoke,arun,ainvoke}
        langchain_community.tools.ShellTool().{run,invoke,arun,ainvoke} langchain_community.tools.shell.**.{run,invoke}
        langchain_community.utilities.**.PythonREPL().run e2b_code_interpreter.**.{run_code,exec_cell,notebook} e2b.**.{run,start}
        daytona.**.{code_run,exec,create} daytona_sdk.**.{code_run,exec,create} modal.**.{remote,spawn,exec,local} riza.**.exec
        langchain_sandbox.PyodideSandbox().{execute,invoke,ainvoke} jupyter_client.**.{execute,execute_interactive} nbclient.**.execute
        runloop_api_client.**.{create,execute_sync} smolagents.**.*Executor()()
        """, reason="what the code does is unknown, but it is done twice"),
    effect("runs a flow elsewhere", """
        airflow.**.trigger_dag prefect.deployments.run_deployment prefect.deployments.arun_deployment dagster.**.execute_in_process
        temporalio.client.**.{start_workflow,execute_workflow,signal,signal_with_start,execute_update} ray.remote()()
        """),
    read("looks at a workflow", "temporalio.client.**.{describe,query,fetch_history,list_workflows,get_workflow_handle,result}"),
    safe("works in a workflow", "temporalio.**", reason="Temporal keeps what its activities give back"),
    effect("changes the environment", "os.{chdir,fchdir,setuid}", reason="the working directory of the whole process"),
    safe("sets an environment variable", "os.{putenv,unsetenv} os.environ.{setdefault,update,pop}", reason="sets a fixed value"),
    effect("moves the mouse or types", """
        pyautogui.{click,write,typewrite,press,hotkey,moveTo,dragTo,scroll,doubleClick} keyboard.{write,press,send}
        pynput.**.{press,release,type,click} pyperclip.copy serial.Serial().write
        """),
    safe("exits", "sys.exit os._exit", reason="nothing is left to repeat"),
)

ALIASES: dict[str, str] = {}
RETURNS: dict[str, str] = {}
KEYED: frozenset[str] = frozenset()
