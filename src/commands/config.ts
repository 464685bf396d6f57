import { Command } from 'commander';
import { givenSettings, readConfig } from '../config/config.ts';
import { SETTINGS } from '../config/config-settings.ts';
import { printable } from './printable.ts';
import { addSettings, flagsIn } from './settings.ts';

const HIDDEN = 'set, not shown';
const DEFAULT = 'default';
const UNSET = 'not set';

/** `config print`: the settings as a service would use them. */
export function configCommand(): Command {
  const print = new Command('print')
    .description('Print every setting, and where it comes from. Secrets are not shown.')
    .option('--json', 'print one JSON object');
  addSettings(print, true)
    .addHelpText(
      'after',
      `
Flags take precedence over the environment, and the environment over the configuration file.

Examples:
  mintscope config print
  MINTSCOPE_PORT=9000 mintscope config print --config mintscope.json --json`,
    )
    .action((options: Readonly<Record<string, unknown>>) => {
      const rows = configRows(process.env, flagsIn(options));
      process.stdout.write(options.json === true ? jsonOf(rows) : textOf(rows));
    });
  return new Command('config').description('Show the settings.').addCommand(print);
}

export interface ConfigRow {
  readonly name: string;
  /** Null for a setting that is not set and has no default. */
  readonly value: string | null;
  readonly origin: string;
}

type Texts = Readonly<Record<string, string | undefined>>;

/** All settings. Throws UsageError for one that the service would refuse. */
export function configRows(environment: Texts, flags: Texts): readonly ConfigRow[] {
  readConfig(environment, flags);
  return [...givenSettings(environment, flags)].map(([name, given]) => {
    const { fallback, isSecret } = SETTINGS[name];
    if (given === null) {
      return { name, value: defaultOf(fallback), origin: DEFAULT };
    }
    const [text, origin] = given;
    return { name, value: isSecret === true ? HIDDEN : withoutPassword(text), origin };
  });
}

/** Null for nothing, such as an empty list. */
function defaultOf(fallback: unknown): string | null {
  const text = fallback === null ? '' : String(fallback);
  return text === '' ? null : text;
}

/** Of an address; other values have none. */
function withoutPassword(text: string): string {
  return text.replaceAll(/\/\/[^/@\s]*@/g, '//…@');
}

function textOf(rows: readonly ConfigRow[]): string {
  const shown = rows.map(({ name, value, origin }) => [name, printable(value ?? UNSET), origin]);
  const widthOf = (column: number) => Math.max(...shown.map((row) => row[column]?.length ?? 0));
  const widths = [widthOf(0), widthOf(1)];
  return shown
    .map(([name = '', value = '', origin]) => {
      return `${name.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${origin}\n`;
    })
    .join('');
}

function jsonOf(rows: readonly ConfigRow[]): string {
  const entries = rows.map(({ name, value, origin }) => [name, { value, origin }]);
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}
