import { environmentName, flagOf } from '../../src/config/config.ts';
import { type Config, SETTINGS } from '../../src/config/config-settings.ts';
import type { Setting } from '../../src/config/setting.ts';
import { blocks, code, table } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** The page of all settings. */
export function settingsPage(): SitePage {
  const title = 'Settings';
  const summary = 'Every setting of the service: flag, environment variable, name in the file.';
  const rows = Object.entries(SETTINGS).map(([name, setting]) =>
    settingRow(name as keyof Config, setting as Setting<unknown>),
  );
  const markdown = blocks(
    `# ${title}`,
    summary,
    `A flag takes precedence over the environment, the environment over the JSON file that \`--config\` names. An unknown setting is refused. \`mintscope config print\` shows what holds and where it comes from, without secrets. What a setting is for in practice is described in [operations](${markdownUrl('operations')}) and [installing](${markdownUrl('install')}).`,
    table(['Environment', 'Flag', 'File', 'Value', 'Default', 'What it sets'], rows),
  );
  return { path: 'settings', group: 'Reference', title, summary, markdown };
}

function settingRow(name: keyof Config, setting: Setting<unknown>): readonly string[] {
  const { description, placeholder, fallback, commonVariable, hasNoFlag, isSecret } = setting;
  const variables = [
    environmentName(name),
    ...(commonVariable === undefined ? [] : [commonVariable]),
  ];
  return [
    variables.map(code).join(', '),
    hasNoFlag === true ? 'none' : code(flagOf(name)),
    code(name),
    code(placeholder),
    defaultText(fallback),
    isSecret === true ? `${description}; a secret` : description,
  ];
}

function defaultText(fallback: unknown): string {
  if (fallback === null) return 'none';
  if (Array.isArray(fallback)) return fallback.length === 0 ? 'none' : code(fallback.join(','));
  if (typeof fallback === 'object') return 'none';
  return code(`${fallback}`);
}
