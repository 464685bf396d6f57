import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApi } from '../../site/cards/open-api.ts';
import { incompatibilities } from './api-compatibility.ts';
import { failed, ok, type ReleaseCheck } from './release-check.ts';
import { reasonOf, runCommand, runScript } from './run-command.ts';

const DOCUMENT = 'docs/openapi.json';
const SHOWN_MAX = 5;

/** The committed OpenAPI document is what the service serves. */
export const openApi: ReleaseCheck = {
  name: 'openapi',
  run: ({ root }) => {
    const folder = mkdtempSync(join(tmpdir(), 'mintscope-release-'));
    try {
      const path = join(folder, 'openapi.json');
      const result = runScript(['scripts/write-openapi.ts', path], root);
      if (result.code !== 0) return failed(reasonOf(result), 'Correct what it names.');
      const committed = readFileSync(join(root, DOCUMENT), 'utf8');
      return readFileSync(path, 'utf8') === committed
        ? ok(`${DOCUMENT} is what the service serves`)
        : failed(`${DOCUMENT} is another than the service serves`, 'Run "npm run openapi".');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** The API keeps what docs/api-stability.md promises to clients of the release before. */
export const apiStability: ReleaseCheck = {
  name: 'api stability',
  run: ({ root, version }) => {
    const last = runCommand('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*'], root);
    if (last.code !== 0) return ok('there is no release before');
    const tag = last.stdout.trim();
    const before = runCommand('git', ['show', `${tag}:${DOCUMENT}`], root);
    if (before.code !== 0) return ok(`${tag} has no ${DOCUMENT}`);
    const found = incompatibilities(
      JSON.parse(before.stdout) as OpenApi,
      JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8')) as OpenApi,
    );
    if (found.length === 0) return ok(`compatible with ${tag}`);
    const more = found.length > SHOWN_MAX ? ` and ${found.length - SHOWN_MAX} more` : '';
    const list = `${found.slice(0, SHOWN_MAX).join('; ')}${more}`;
    return mayBreak(tag, version)
      ? ok(`breaks clients of ${tag}, as a minor version before 1.0 may: ${list}`)
      : failed(
          list,
          `Keep them as docs/api-stability.md promises, or raise the ${partToRaise(version)} version.`,
        );
  },
};

/** Before 1.0 a minor version may, afterwards a major one. */
function mayBreak(tag: string, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorBefore = 0, minorBefore = 0] = tag.slice(1).split('.').map(Number);
  return major > majorBefore || (major === 0 && minor > minorBefore);
}

function partToRaise(version: string): string {
  return version.startsWith('0.') ? 'minor' : 'major';
}
