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

/** `idl`: compares published interfaces of programs with the decoders. */
export function idlCommand(): Command {
  return new Command('idl')
    .description('Work with published program interfaces (IDLs).')
    .addCommand(diffCommand());
}

function diffCommand(): Command {
  return new Command('diff')
    .description('Compare an IDL file with the decoder of its program.')
    .argument('<file>', "IDL in JSON: Anchor's form before or since 0.30, or Codama's")
    .option('--program <name>', 'program of the file, if the file does not contain it')
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
Makes no requests and changes nothing. Instructions and events are matched by their discriminators.
For those that are decoded, the positions of accounts and the order of event fields are compared, but
not types.
  missed   unknown to the decoder, which would count it as unknown
  misread  at a different position than the decoder expects
  renamed  at the expected position, under another name
  absent   decoded, but not in the file: the file is of another version
Exit code 0: nothing would be missed or misread; 1: something would be; 2: the file cannot be used.

Programs: ${LAYOUTS.map(({ name }) => name).join(', ')}

Examples:
  mintscope idl diff pump.json
  mintscope idl diff amm.json --program raydium_amm_v4 --json | jq '.differences[].message'`;

async function readInterface(file: string): Promise<ProgramInterface> {
  const reading = parseInterface(await readText(file));
  if (reading.status === 'ok') return reading.value;
  throw new UsageError(`"${file}" is not an IDL: ${reading.reason}.`);
}

/** Throws UsageError for a file that cannot be read, is too long for an IDL, or is not UTF-8. */
async function readText(file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of openInput(file)) {
    bytes += chunk.length;
    if (bytes > INTERFACE_CHARS_MAX) {
      throw new UsageError(
        `"${file}" is not an IDL: it is longer than ${INTERFACE_CHARS_MAX} bytes.`,
      );
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`"${file}" is not an IDL: it is not UTF-8.`, { cause: error });
  }
}

/** Throws UsageError if the program cannot be determined. */
function programOf({ address }: ProgramInterface, name: string | undefined): LaidOutProgram {
  if (name !== undefined) {
    const named = layoutNamed(name);
    if (named !== null) return named;
    const names = LAYOUTS.map((program) => program.name).join(', ');
    throw new UsageError(`There is no layout for "${name}": choose from ${names}.`);
  }
  const program = address === null ? null : layoutAt(address);
  if (program !== null) return program;
  throw new UsageError(
    address === null
      ? 'The file does not contain its program: name it with --program.'
      : 'There is no layout for the program of the file: name another with --program.',
  );
}

function textOf({ program, differences, ...report }: InterfaceReport, file: string): string {
  const counts = countsInWords(differences) ?? 'no differences';
  const size = `${report.instructions} instructions, ${report.events} events`;
  return [`${program}: ${file} (${size}): ${counts}`, ...differences.map(differenceLine), ''].join(
    '\n',
  );
}
