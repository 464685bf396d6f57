import type { Command } from 'commander';
import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { NO_STYLE, type Style, terminalOf } from '../../lib/terminal/terminal.ts';
import { UsageError } from '../../model/errors.ts';
import { answerHead } from './answer-head.ts';
import { askService, type Question } from './ask-service.ts';
import { addServiceOptions, type ServiceOptions, serviceAddressOf } from './service-address.ts';

/** Programs get whole lines. */
const COLUMNS_WITHOUT_TERMINAL = Number.POSITIVE_INFINITY;

/** What text is written for. */
export interface Page {
  readonly columns: number;
  readonly style: Style;
}

/** Options of the service, and those of a command. */
type Options = ServiceOptions & Readonly<Record<string, unknown>>;

/** A command that asks a running service one question. */
export interface ClientCommand<Body> {
  /** Throws UsageError for arguments that cannot be asked. */
  readonly question: (argument: string | undefined, options: Options) => Question;
  /** The body of an answer of `host`. Throws ServiceError for what it should not answer. */
  readonly parse: (text: string, host: string, argument: string | undefined) => Body;
  readonly linesOf: (body: Body, page: Page) => readonly string[];
}

/** Lets a command print the answer as text, or unchanged with --json. */
export function askedBy<Body>(
  command: Command,
  { question, parse, linesOf }: ClientCommand<Body>,
): Command {
  return addServiceOptions(command).action(async (...given: unknown[]) => {
    // Commander passes the command last. Options that its parent has too are read by the parent.
    const asking = given.at(-1) as Command;
    const options = asking.optsWithGlobals<Options>();
    const [text] = asking.args;
    const asked = question(text, options);
    const address = serviceAddressOf(options);
    const answer = await askService(address, asked);
    if (options.json === true) {
      process.stdout.write(`${answer.text}\n`);
      return;
    }
    const body = parse(answer.text, address.baseUrl.host, text);
    const page = standardPage();
    const head = answerHead(answer.headers, page.columns, page.style);
    process.stdout.write(`${[...head, ...linesOf(body, page)].join('\n')}\n`);
  });
}

/** Of standard output. */
export function standardPage(): Page {
  const terminal = terminalOf(1);
  return terminal === null
    ? { columns: COLUMNS_WITHOUT_TERMINAL, style: NO_STYLE }
    : { columns: terminal.columns(), style: terminal.style };
}

/** Throws UsageError for what is no address. */
export function addressArgument(text: string | undefined): string {
  if (text !== undefined && isBase58Of32Bytes(text)) return text;
  throw new UsageError(
    `"${text ?? ''}" is no address: one is the base58 text of 32 bytes, 32 to 44 characters.`,
  );
}
