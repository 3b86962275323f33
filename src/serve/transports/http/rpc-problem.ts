/** An error for MCP clients, about a request that never reached a server instance. */
export function rpcProblem(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
