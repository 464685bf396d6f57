import { Command } from 'commander';
import { INTERFACE_CHARS_MAX, parseInterface } from '../decoders/idl/parse-interface.ts';
import type { ProgramInterface } from '../decoders/idl/program-interface.ts';
import { LAYOUTS, type LaidOutProgram, layoutAt, layoutNamed } from '../decoders/layouts.ts';
import { UsageError } from '../model/errors.ts';
import {
  countsInWords,
  differenceLine,
  type InterfaceReport,
  reportInterface,
} from './doctor/interface-report.ts';
import { openInput } from './open-input.ts';

const DIFFERENT_EXIT = 1;

/** `idl`: published interfaces of programs and what the decoders rely on. */
export function idlCommand(): Command {
  return new Command('idl')
    .description('Work with the interfaces that programs publish (IDLs).')
    .addCommand(diffCommand());
}

function diffCommand(): Command {
  return new Command('diff')
    .description('Compare an IDL file with what the decoder of its program relies on.')
    .argument('<file>', "IDL in JSON: Anchor's form before or since 0.30, or Codama's")
    .option('--program <name>', 'the program it is of, where the file does not say')
    .option('--json', 'print the comparison as one JSON line')
    .addHelpText('after', HELP)
    .action(async (file: string, options: Options) => {
      const published = await readInterface(file);
      const report = reportInterface(published, programOf(published, options.program));
      process.stdout.write(
        options.json === true ? `${JSON.stringify(report)}\n` : textOf(report, file),
      );
      if (!report.is_current) process.exitCode = DIFFERENT_EXIT;
    });
}

interface Options {
  readonly program?: string;
  readonly json?: boolean;
}

const HELP = `
Nothing is asked for and nothing is changed. Instructions and events are matched by their
discriminators. Of those that are read, the positions of accounts and the order of event fields are
compared; types are not.
  missed   the decoder does not know it, and would count it as unknown
  misread  it stands elsewhere than where the decoder reads it
  renamed  it stands where it is read, under another name
  absent   the decoder reads it and the file does not have it: a file of another time
Exit code 0: nothing would be missed or misread; 1: something would; 2: the file cannot be used.

Programs: ${LAYOUTS.map(({ name }) => name).join(', ')}

Examples:
  mintscope idl diff pump.json
  mintscope idl diff amm.json --program raydium_amm_v4 --json | jq '.differences[].message'`;

async function readInterface(file: string): Promise<ProgramInterface> {
  const reading = parseInterface(await readText(file));
  if (reading.status === 'ok') return reading.value;
  throw new UsageError(`"${file}" is no IDL: ${reading.reason}.`);
}

/** Throws UsageError for what cannot be read, is longer than an IDL, or is no UTF-8. */
async function readText(file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of openInput(file)) {
    bytes += chunk.length;
    if (bytes > INTERFACE_CHARS_MAX) {
      throw new UsageError(`"${file}" is no IDL: it is longer than ${INTERFACE_CHARS_MAX} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`"${file}" is no IDL: it is not UTF-8.`, { cause: error });
  }
}

/** Throws UsageError where no program can be chosen. */
function programOf({ address }: ProgramInterface, name: string | undefined): LaidOutProgram {
  if (name !== undefined) {
    const named = layoutNamed(name);
    if (named !== null) return named;
    const names = LAYOUTS.map((program) => program.name).join(', ');
    throw new UsageError(`There is no layout of "${name}": choose from ${names}.`);
  }
  const program = address === null ? null : layoutAt(address);
  if (program !== null) return program;
  throw new UsageError(
    address === null
      ? 'The file does not say which program it is of: name it with --program.'
      : 'The file is of a program without a layout: name another with --program.',
  );
}

function textOf({ program, differences, ...report }: InterfaceReport, file: string): string {
  const counts = countsInWords(differences) ?? 'no differences';
  const size = `${report.instructions} instructions, ${report.events} events`;
  return [`${program}: ${file} (${size}): ${counts}`, ...differences.map(differenceLine), ''].join(
    '\n',
  );
}
