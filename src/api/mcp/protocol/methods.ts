import { ApiError } from '../../../model/errors.ts';
import { isObject } from '../../requests/request-schema.ts';
import { ToolRefusal } from '../answer/api-answer.ts';
import { PROMPTS } from '../guides/prompts.ts';
import { INSTRUCTIONS, RESOURCES } from '../guides/resources.ts';
import { TOOLS } from '../tools/registry.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Era } from './check-revision.ts';
import type { Message, Params } from './parse-message.ts';
import { CURRENT_REVISION, EARLIER_REVISIONS, isEarlierRevision } from './revisions.ts';
import { RPC, RpcError } from './rpc-error.ts';

/** What a method needs beside its parameters. */
export interface MethodContext extends ToolContext {
  /** Version of the service. */
  readonly version: string;
}

interface Method {
  /** The revisions that have the method; both by default. */
  readonly era?: Era;
  /** How long a client may keep the result; results that may not be kept have none. */
  readonly keptMs?: number;
  run(params: Params, context: MethodContext): object | Promise<object>;
}

const CAPABILITIES = { tools: {}, prompts: {}, resources: {} };
/** Lists change with the version of the service only. */
const LISTS_KEPT_MS = 3_600_000;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    'server/discover',
    {
      era: 'current',
      keptMs: LISTS_KEPT_MS,
      run: () => ({
        supportedVersions: [CURRENT_REVISION],
        capabilities: CAPABILITIES,
        instructions: INSTRUCTIONS,
      }),
    },
  ],
  ['initialize', { era: 'earlier', run: initialize }],
  ['ping', { era: 'earlier', run: () => ({}) }],
  ['tools/list', { keptMs: LISTS_KEPT_MS, run: () => ({ tools: TOOLS.map(listedTool) }) }],
  ['tools/call', { run: callTool }],
  [
    'prompts/list',
    {
      keptMs: LISTS_KEPT_MS,
      run: () => ({ prompts: PROMPTS.map(({ text, ...listed }) => listed) }),
    },
  ],
  ['prompts/get', { run: getPrompt }],
  [
    'resources/list',
    {
      keptMs: LISTS_KEPT_MS,
      run: () => ({ resources: RESOURCES.map(({ text, ...listed }) => listed) }),
    },
  ],
  ['resources/templates/list', { keptMs: LISTS_KEPT_MS, run: () => ({ resourceTemplates: [] }) }],
  ['resources/read', { keptMs: LISTS_KEPT_MS, run: readResource }],
]);

/** The result of a request, as its era frames it. Throws RpcError. */
export async function runMethod(
  { method, params }: Message,
  era: Era,
  context: MethodContext,
): Promise<object> {
  const found = METHODS.get(method);
  if (found === undefined || (found.era ?? era) !== era) {
    // Clients of earlier revisions take 404 for a lost session.
    const status = era === 'current' ? 404 : 200;
    throw new RpcError(RPC.methodNotFound, 'There is no such method.', { status });
  }
  const result = await found.run(params, context);
  if (era === 'earlier') return result;
  const kept = found.keptMs === undefined ? {} : { ttlMs: found.keptMs, cacheScope: 'public' };
  return { resultType: 'complete', ...result, ...kept };
}

export function serverInfo(version: string) {
  return { name: 'mintscope', title: 'Mintscope', version };
}

function initialize({ protocolVersion }: Params, { version }: MethodContext): object {
  return {
    protocolVersion: isEarlierRevision(protocolVersion) ? protocolVersion : EARLIER_REVISIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(version),
    instructions: INSTRUCTIONS,
  };
}

function listedTool({ name, title, description, inputSchema }: (typeof TOOLS)[number]): object {
  // Nothing is written, and nothing but the service is asked.
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, title, description, inputSchema, annotations };
}

/** Arguments that are not valid and refusals of the API are results, which the model can react to. */
async function callTool(params: Params, context: MethodContext): Promise<object> {
  const tool = TOOLS.find(({ name }) => name === params.name);
  if (tool === undefined) {
    throw invalidParams(
      `There is no such tool: there are ${TOOLS.map(({ name }) => name).join(', ')}.`,
    );
  }
  try {
    return textResult(await tool.call(params.arguments, context), false);
  } catch (error) {
    const isExpected = error instanceof ToolRefusal || error instanceof ApiError;
    if (!isExpected) throw error;
    return textResult(error.message, true);
  }
}

function textResult(text: string, isError: boolean): object {
  return { content: [{ type: 'text', text }], isError };
}

function getPrompt(params: Params): object {
  const prompt = PROMPTS.find(({ name }) => name === params.name);
  if (prompt === undefined) {
    throw invalidParams(
      `There is no such prompt: there are ${PROMPTS.map(({ name }) => name).join(', ')}.`,
    );
  }
  const given = params.arguments ?? {};
  if (!isObject(given)) throw invalidParams('The arguments must be a JSON object.');
  const values = new Map<string, string>();
  for (const { name } of prompt.arguments) {
    const value = given[name];
    if (typeof value !== 'string') throw invalidParams(`${name} is required.`);
    values.set(name, value);
  }
  const text = prompt.text(values);
  if (text === null) {
    throw invalidParams('An argument is no address: one is the base58 text of 32 bytes.');
  }
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { description: prompt.description, messages };
}

function readResource(params: Params): object {
  const resource = RESOURCES.find(({ uri }) => uri === params.uri);
  if (resource === undefined) throw invalidParams('There is no such resource.');
  const { uri, mimeType, text } = resource;
  return { contents: [{ uri, mimeType, text }] };
}

function invalidParams(message: string): RpcError {
  return new RpcError(RPC.invalidParams, message, { status: 200 });
}
