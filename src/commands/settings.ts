import { type Command, Option } from 'commander';
import {
  environmentName,
  flagOf,
  givenSettings,
  readConfig,
  SETTING_NAMES,
} from '../config/config.ts';
import { CLUSTER_SETTINGS } from '../config/config-cluster.ts';
import { COLLECTOR_SETTINGS } from '../config/config-collectors.ts';
import { type Config, SETTINGS } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';

/** Settings that only apply to a listening process. */
const SERVER_ONLY: readonly (keyof Config)[] = [
  'host',
  'port',
  'bootstrapKey',
  'rateLimitPerMinute',
  'rateLimitBurst',
  'openOps',
  'corsOrigins',
  'otlpEndpoint',
  'yellowstoneUrl',
  'yellowstoneToken',
  'yellowstoneMode',
  'yellowstoneClient',
  'lagMaxSeconds',
  ...(Object.keys(COLLECTOR_SETTINGS) as (keyof typeof COLLECTOR_SETTINGS)[]),
  ...(Object.keys(CLUSTER_SETTINGS) as (keyof typeof CLUSTER_SETTINGS)[]),
];

/**
 * Adds the flags of the service's settings to a command. Commands that do not serve get only the
 * `wanted` ones of the server settings.
 */
export function addSettings(
  command: Command,
  isServer: boolean,
  wanted: readonly (keyof Config)[] = [],
): Command {
  const names = SETTING_NAMES.filter(
    (name) => isServer || !SERVER_ONLY.includes(name) || wanted.includes(name),
  );
  return addOnlySettings(command, names).addHelpText('after', isServer ? flaglessHelp() : '');
}

/** Adds the flags of these settings, for a command that uses no others. */
export function addOnlySettings(command: Command, names: readonly (keyof Config)[]): Command {
  for (const name of names) {
    const { description, placeholder, fallback, isSecret, hasNoFlag } = SETTINGS[name];
    if (hasNoFlag === true) {
      command.addOption(refusedOption(name));
      continue;
    }
    const shown = fallback === null || isSecret === true ? '' : `; default ${fallback}`;
    command.option(
      `${flagOf(name)} <${placeholder}>`,
      `${description} (${environmentName(name)}${shown})`,
    );
  }
  return command.option('--config <file>', 'JSON file with settings (MINTSCOPE_CONFIG)');
}

/** Not in the help: says where a secret is read from, in place of a flag with a similar name. */
function refusedOption(name: keyof Config): Option {
  const flag = flagOf(name);
  return new Option(`${flag} <value>`).hideHelp().argParser(() => {
    throw new UsageError(
      `${flag} is no option, because everybody on this machine can see the arguments of a process: set ${environmentName(name)}, or ${name} in the settings file.`,
    );
  });
}

/** Settings that have no flag. */
function flaglessHelp(): string {
  const names = SETTING_NAMES.filter((name) => SETTINGS[name].hasNoFlag === true);
  const lines = names.map((name) => `  ${environmentName(name)}  ${SETTINGS[name].description}`);
  return `\nOnly in the environment or the configuration file, because they are secret:\n${lines.join('\n')}`;
}

/** Reads the configuration of a command from its flags, the environment and the file. */
export function settingsOf(options: Readonly<Record<string, unknown>>): Config {
  return readConfig(process.env, flagsIn(options));
}

/** Whether a setting was given, rather than having its default. */
export function isGiven(name: keyof Config, options: Readonly<Record<string, unknown>>): boolean {
  return (givenSettings(process.env, flagsIn(options)).get(name) ?? null) !== null;
}

/** The flags of settings among the options of a command. */
export function flagsIn(options: Readonly<Record<string, unknown>>): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const name of [...SETTING_NAMES, 'config']) {
    const value = options[name];
    if (typeof value === 'string') flags[name] = value;
  }
  return flags;
}
