import type { Static, TProperties } from 'typebox';
import { Type } from 'typebox';
import { ChoiceParameter, Defaulted } from '../../schemas/parameters.ts';
import { AnswerReader } from '../answer/answer-reader.ts';
import type { AskApi } from '../answer/api-answer.ts';
import { DETAIL, type Detail, type ToolAnswer, writeAnswer } from '../answer/write-answer.ts';
import { argumentParser, publishedSchema } from './arguments.ts';

/** What a tool call may use. */
export interface ToolContext {
  readonly ask: AskApi;
  nowMs(): number;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** What one tool has of its own. */
interface ToolParts<Arguments extends TProperties> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses a tool: what it answers, and when another one is better. */
  readonly description: string;
  readonly arguments: Arguments;
  /** Throws ToolRefusal. */
  find(
    given: Static<ReturnType<typeof Type.Object<Arguments>>>,
    reader: AnswerReader,
    call: { readonly detail: Detail; readonly nowMs: number },
  ): Promise<ToolAnswer>;
}

/** A tool as the protocol shows and calls it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: object;
  /** The text of the answer. Throws ToolRefusal, and ApiError for arguments that are not valid. */
  call(given: unknown, context: ToolContext): Promise<string>;
}

const DETAILS = Object.keys(DETAIL) as Detail[];

const DetailArgument = Defaulted(
  ChoiceParameter(DETAILS, {
    default: 'short',
    description: `short: at most ${DETAIL.short.tokensMax} tokens. full: at most ${DETAIL.full.tokensMax}.`,
  }),
);

export function defineTool<Arguments extends TProperties>(parts: ToolParts<Arguments>): Tool {
  const { name, title, description } = parts;
  const schema = Type.Object({ ...parts.arguments, detail: DetailArgument });
  const parse = argumentParser(name, schema);
  return {
    ...{ name, title, description },
    inputSchema: publishedSchema(schema),
    async call(given, { ask, nowMs, signal }) {
      const { detail, ...own } = parse(given) as { readonly detail: Detail };
      const reader = new AnswerReader(ask, signal);
      const call = { detail, nowMs: nowMs() };
      const answer = await parts.find(own as Parameters<typeof parts.find>[0], reader, call);
      return writeAnswer(answer, reader, detail);
    },
  };
}
