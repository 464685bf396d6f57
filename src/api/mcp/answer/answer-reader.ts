import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { displayText } from '../../../lib/terminal/display-text.ts';
import { type ApiAnswer, type AskApi, ToolRefusal } from './api-answer.ts';

/** Where the figures of an answer come from. */
export interface Provenance {
  /** Whether the chain is a simulated market or Solana. */
  readonly chain: 'simulated' | 'solana';
  /** The oldest slot that a part of the answer is accurate as of; null before the first slot. */
  readonly as_of_slot: number | null;
  /** Age of the oldest part of the answer, in seconds; null before the first slot. */
  readonly age_seconds: number | null;
  /** Whether no slot of the history behind the answer is missing. */
  readonly is_complete: boolean;
}

export type Query = Readonly<Record<string, string | number | null>>;

const MESSAGE_LENGTH_MAX = 300;

/** Reads answers of the API for one tool call, and remembers how old and complete they are. */
export class AnswerReader {
  private readonly ask: AskApi;
  private readonly signal: AbortSignal | undefined;
  private readonly answers: ApiAnswer[] = [];

  constructor(ask: AskApi, signal?: AbortSignal) {
    this.ask = ask;
    this.signal = signal;
  }

  /** The body at a path. Throws ToolRefusal for anything but 200. */
  async read<Schema extends TSchema>(
    path: string,
    schema: Schema,
    query: Query = {},
  ): Promise<Static<Schema>> {
    const answer = await this.ask(pathOf(path, query), this.signal);
    if (answer.status !== 200) throw refusalOf(answer);
    return this.note(answer, schema);
  }

  /** As `read`; null if there is no such thing. */
  async find<Schema extends TSchema>(
    path: string,
    schema: Schema,
    query: Query = {},
  ): Promise<Static<Schema> | null> {
    const answer = await this.ask(pathOf(path, query), this.signal);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw refusalOf(answer);
    return this.note(answer, schema);
  }

  /** Of all answers read so far. */
  provenance(): Provenance {
    const slots = this.numbersOf('x-slot');
    const agesMs = this.numbersOf('x-data-age-ms');
    return {
      chain: this.answers.some((one) => one.header('x-simulated') === 'true')
        ? 'simulated'
        : 'solana',
      as_of_slot: slots.length === 0 ? null : Math.min(...slots),
      age_seconds: agesMs.length === 0 ? null : Math.max(...agesMs) / 1_000,
      is_complete: this.answers.every((one) => one.header('x-complete') !== 'false'),
    };
  }

  /**
   * Time of the data that was read, in whole milliseconds. A span that ends with it shows a chain that
   * has stopped as it was, beside its age.
   */
  dataTimeMs(nowMs: number): number {
    return Math.floor(nowMs - 1_000 * (this.provenance().age_seconds ?? 0));
  }

  private note<Schema extends TSchema>(answer: ApiAnswer, schema: Schema): Static<Schema> {
    const body = parsed(answer.text);
    if (!validatorOf(schema).Check(body)) {
      throw new ToolRefusal('The service is of another version than this tool.');
    }
    this.answers.push(answer);
    return body as Static<Schema>;
  }

  private numbersOf(name: string): number[] {
    return this.answers
      .map((one) => one.header(name))
      .filter((text) => text !== null && /^\d+$/.test(text))
      .map(Number);
  }
}

/** Compiled once: interpreting a schema takes longer than reading the answer. */
const validators = new Map<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/** A path with its query; parameters that are null are left out. */
export function pathOf(path: string, query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) given.set(name, String(value));
  }
  return given.size === 0 ? path : `${path}?${given}`;
}

function refusalOf({ status, text, header }: ApiAnswer): ToolRefusal {
  const message = displayText(messageIn(text).slice(0, MESSAGE_LENGTH_MAX));
  const seconds = status === 429 || status === 503 ? header('retry-after') : null;
  const advice = seconds !== null && /^\d{1,6}$/.test(seconds) ? ` Try again in ${seconds} s.` : '';
  return new ToolRefusal(`${message}${advice}`);
}

function messageIn(text: string): string {
  const body = parsed(text);
  const message = typeof body === 'object' && body !== null && 'message' in body && body.message;
  return typeof message === 'string' ? message : 'The service gave no answer that can be used.';
}

/** Undefined for text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
