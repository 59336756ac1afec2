"""Running LangGraph graphs and agents.

A nested graph that finished before the pause is restored, not run again (TRUTH.md section 7), so its run is neither an effect nor a paid
call; what it holds is judged by the analysis.
"""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, group, read, row, safe

group("GRAPH_RUN", """
    invoke ainvoke stream astream batch abatch astream_events stream_events astream_log batch_as_completed abatch_as_completed
    transform atransform stream_v2 astream_v2
    """)

ROWS = (
    row("graph", "runs a nested graph", """
        langgraph.**.{StateGraph,MessageGraph}().compile().$GRAPH_RUN langgraph.**.{CompiledStateGraph,CompiledGraph,Pregel}().$GRAPH_RUN
        langgraph.pregel.**.Pregel().$GRAPH_RUN langgraph.pregel.protocol.PregelProtocol().$GRAPH_RUN
        langgraph.prebuilt.create_react_agent().$GRAPH_RUN langgraph.prebuilt.**.create_react_agent().$GRAPH_RUN
        langchain.agents.create_agent().$GRAPH_RUN deepagents.{create_deep_agent,async_create_deep_agent}().$GRAPH_RUN
        langgraph_supervisor.create_supervisor().compile().$GRAPH_RUN langgraph_swarm.create_swarm().compile().$GRAPH_RUN
        langgraph_supervisor.**.$GRAPH_RUN langgraph_swarm.**.$GRAPH_RUN langgraph_codeact.create_codeact().compile().$GRAPH_RUN
        langgraph_bigtool.create_agent().compile().$GRAPH_RUN langgraph_reflection.**.compile().$GRAPH_RUN
        open_deep_research.**.$GRAPH_RUN langgraph.func.entrypoint()().$GRAPH_RUN
        """, reason="finished nested graphs are restored on replay"),
    safe("runs a tool node", """
        langgraph.prebuilt.ToolNode().$GRAPH_RUN langgraph.prebuilt.ValidationNode().$GRAPH_RUN
        langgraph.prebuilt.ToolExecutor().{invoke,ainvoke,batch,abatch}
        """, reason="the analysis judges the tools it was made with"),
    construct("makes a graph or an agent", """
        langgraph.graph.{StateGraph,MessageGraph} langgraph.graph.StateGraph().compile
        langgraph.prebuilt.{ToolNode,create_react_agent,ValidationNode,ToolExecutor} langchain.agents.create_agent
        deepagents.{create_deep_agent,async_create_deep_agent}
        langgraph_supervisor.{create_supervisor,create_handoff_tool,create_forward_message_tool}
        langgraph_swarm.{create_swarm,create_handoff_tool,add_active_agent_router} langgraph.pregel.**
        """),
    read("reads the state of a graph", """
        langgraph.**.{get_state,aget_state,get_state_history,aget_state_history}
        langchain.agents.create_agent().{get_state,aget_state,get_state_history} deepagents.create_deep_agent().{get_state,aget_state}
        """),
    effect("writes the state of a thread", """
        langgraph.**.{update_state,aupdate_state,bulk_update_state,abulk_update_state}
        langchain.agents.create_agent().{update_state,aupdate_state}
        """, reason="every call makes one more checkpoint"),
    # the store: put by key is safe, with a key made anew it grows (TRUTH.md section 1)
    safe("puts an item by key", """
        langgraph.**.{put,aput} langgraph.store.**.{put,aput} langchain.agents.**.store.{put,aput}
        langchain.tools.**.store.{put,aput} langchain.**.ToolRuntime().store.{put,aput} langmem.**.put
        """, condition="stable:1:key", reason="put by key; a key made anew in every run adds one more item"),
    safe("puts items", "langgraph.store.**.{batch,abatch}", reason="a store's batch of operations by key"),
    safe("deletes by key", """
        langgraph.**.{delete,adelete} langgraph.store.**.{delete,adelete} langgraph.checkpoint.**.{delete_thread,adelete_thread}
        langchain.**.store.{delete,adelete}
        """, reason="deleting twice is deleting once"),
    read("reads the store", """
        langgraph.**.{get,aget,search,asearch} langgraph.store.**.{get,aget,search,asearch,list_namespaces,alist_namespaces}
        langgraph.checkpoint.**.{get,aget,get_tuple,aget_tuple,list,alist} langchain.**.store.{get,aget,search,asearch}
        """),
    safe("looks into a Command", """
        langgraph.types.Command().** langgraph.types.Command.{update,goto,resume}.**
        """, reason="a dict that a tool or node has returned, or what was put into it"),
    safe("looks into what a run has left", "langgraph.types.{Send,Interrupt,StateSnapshot,PregelTask}().**", reason="plain data, read before"),
    safe("sets up tables", """
        langgraph.checkpoint.**.{setup,asetup} langgraph.store.**.{setup,asetup}
        """, reason="creates only what is not there"),
    safe("writes a checkpoint", "langgraph.checkpoint.**.{put,aput,put_writes,aput_writes}", reason="by its id"),
    construct("opens a saver or a store", """
        langgraph.checkpoint.** langgraph.store.** langgraph.cache.** langgraph_checkpoint_aws.** langgraph_checkpoint_cosmosdb.**
        """),
    safe("writes to the stream", """
        langgraph.config.get_stream_writer()() langgraph.**.stream_writer langgraph.**.get_stream_writer()()
        langgraph.types.StreamWriter()() langgraph.runtime.Runtime().stream_writer langgraph.graph.ui.{push_ui_message,delete_ui_message}
        langgraph.graph.message.push_message
        """, reason="the stream is for watching: sent twice it is a note at most"),
    safe("dispatches a custom event", """
        langchain_core.callbacks.{dispatch_custom_event,adispatch_custom_event}
        langchain_core.callbacks.manager.{dispatch_custom_event,adispatch_custom_event}
        copilotkit.langgraph.{copilotkit_emit_state,copilotkit_emit_message,copilotkit_emit_tool_call,copilotkit_exit,
          copilotkit_customize_config} copilotkit.**
        """, reason="events and progress are for watching"),
    safe("works in the graph", """
        langgraph.types.{Command,Send,Interrupt,RetryPolicy,CachePolicy,Overwrite,StateSnapshot,StreamWriter}
        langgraph.config.{get_stream_writer,get_store,get_config} langgraph.runtime.** langgraph.graph.message.add_messages
        langgraph.graph.add_messages langgraph.constants.** langgraph.errors.** langgraph.managed.** langgraph.channels.**
        langgraph.graph.** langgraph.prebuilt.** langgraph.utils.** langgraph.func.** langgraph.types.{RetryPolicy,CachePolicy}().**
        langgraph.config.**
        langgraph.graph.StateGraph().{add_node,add_edge,add_conditional_edges,set_entry_point,set_finish_point,add_sequence,
          set_conditional_entry_point,validate} langchain.agents.middleware.** langchain.agents.*
        langchain.agents.{format_scratchpad,output_parsers,structured_output,agent_toolkits}.** langchain.tools.render.*
        {langchain.tools,langchain.agents,langgraph.prebuilt}.ToolRuntime().** langgraph_supervisor.** langgraph_swarm.** deepagents.**
        ag_ui.** ag_ui_langgraph.** langgraph_api.** langgraph_runtime.** langgraph_cli.**
        """),
)

ALIASES = {
    # The store of a run, however a node comes by it.
    "langgraph.config.get_store()": "langgraph.store.base.BaseStore()",
    "langgraph.runtime.{Runtime,get_runtime}().store": "langgraph.store.base.BaseStore()",
    "{langgraph.prebuilt,langchain.tools,langchain.agents}.ToolRuntime().store": "langgraph.store.base.BaseStore()",
    "langchain.agents.middleware.{ModelRequest,ToolCallRequest}().runtime.store": "langgraph.store.base.BaseStore()",
}
RETURNS: dict[str, str] = {}
KEYED: frozenset[str] = frozenset()
