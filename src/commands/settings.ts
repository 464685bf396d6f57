import type { Command } from 'commander';
import {
  type Config,
  environmentName,
  flagOf,
  readConfig,
  SETTING_NAMES,
  SETTINGS,
} from '../config.ts';

/** Settings that only matter to a process that listens. */
const SERVER_ONLY: readonly (keyof Config)[] = [
  'host',
  'port',
  'bootstrapKey',
  'rateLimitPerMinute',
  'rateLimitBurst',
  'openOps',
];

/** Gives a command the flags of the service's settings. */
export function addSettings(command: Command, isServer: boolean): Command {
  for (const name of SETTING_NAMES) {
    if (!isServer && SERVER_ONLY.includes(name)) continue;
    const { description, placeholder, fallback, isSecret } = SETTINGS[name];
    const shown = fallback === null || isSecret === true ? '' : `; default ${fallback}`;
    command.option(
      `${flagOf(name)} <${placeholder}>`,
      `${description} (${environmentName(name)}${shown})`,
    );
  }
  return command.option('--config <file>', 'JSON file with settings (MINTSCOPE_CONFIG)');
}

/** Reads the configuration of a command from its flags, the environment and the file. */
export function settingsOf(options: Readonly<Record<string, unknown>>): Config {
  const flags: Record<string, string> = {};
  for (const name of [...SETTING_NAMES, 'config']) {
    const value = options[name];
    if (typeof value === 'string') flags[name] = value;
  }
  return readConfig(process.env, flags);
}
