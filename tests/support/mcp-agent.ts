import { resolve } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { temporaryFolder } from './command-line.ts';

/** How the client library agrees on the revision of the protocol. */
export const MODES = [{ pin: '2026-07-28' }, 'auto', 'legacy'] as const;
export type Mode = (typeof MODES)[number];

/** An answer of a tool as an agent gets it. */
export interface ToolText {
  readonly isError: boolean;
  readonly text: string;
}

/** The client library of the protocol, connected to `/mcp` of a service. */
export async function agentOverHttp(baseUrl: string, key: string, mode: Mode): Promise<Client> {
  return await connected(mode, baseUrl, { requestInit: { headers: { 'x-api-key': key } } });
}

/** The same with the key as the library sends credentials itself: `Authorization: Bearer`. */
export async function agentWithBearer(baseUrl: string, key: string, mode: Mode): Promise<Client> {
  return await connected(mode, baseUrl, { authProvider: { token: async () => key } });
}

async function connected(
  mode: Mode,
  baseUrl: string,
  options: StreamableHTTPClientTransportOptions,
): Promise<Client> {
  const client = agent(mode);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), options));
  return client;
}

/** The client library of the protocol, connected to the command that it starts. */
export async function agentOverStdio(baseUrl: string, key: string, mode: Mode): Promise<Client> {
  const client = agent(mode);
  const args = ['--disable-warning=ExperimentalWarning', resolve('src/main.ts'), 'mcp'];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args, '--url', baseUrl],
      env: { MINTSCOPE_API_KEY: key, HOME: temporaryFolder() },
    }),
  );
  return client;
}

function agent(mode: Mode): Client {
  return new Client({ name: 'test agent', version: '1.0.0' }, { versionNegotiation: { mode } });
}

/** Throws TypeError for a result that is not one text. */
export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<ToolText> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [block, ...others] = content;
  if (block?.type !== 'text' || others.length > 0)
    throw new TypeError('the result is not one text');
  return { isError: isError === true, text: block.text };
}
