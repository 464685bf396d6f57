import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { temporaryFolder } from './command-line.ts';

const CHART = resolve('deploy/helm/mintscope');
/** Where Debian's packages of Go libraries are. */
const LIBRARIES = '/usr/share/gocode';
const NEEDED = ['github.com/Masterminds/sprig', 'gopkg.in/yaml.v3'];

/** Whether charts can be rendered: Debian's golang-go and both libraries are there. */
export const HAS_CHART_RENDERER =
  spawnSync('go', ['version']).error === undefined &&
  NEEDED.every((name) => existsSync(join(LIBRARIES, 'src', name)));

if (!HAS_CHART_RENDERER) {
  process.stdout.write(
    'SKIPPING the rendered chart: install golang-go, golang-github-masterminds-sprig-dev and ' +
      'golang-gopkg-yaml.v3-dev.\n',
  );
}

export interface RenderedDocument {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Renders the chart of the service with Helm's template engine and functions. */
export class ChartRenderer {
  private readonly folder = temporaryFolder();

  constructor() {
    execFileSync('go', ['build', '-o', join(this.folder, 'render'), '.'], {
      cwd: resolve('tests/support/chart-renderer'),
      env: {
        ...process.env,
        ...{ GO111MODULE: 'off', GOPATH: LIBRARIES, GOCACHE: join(this.folder, 'cache') },
      },
    });
  }

  /** The documents with these values in place of the chart's own. Throws with what it refuses. */
  render(values: object): readonly RenderedDocument[] {
    const changes = join(this.folder, 'values.json');
    writeFileSync(changes, JSON.stringify(values));
    const text = execFileSync(join(this.folder, 'render'), [CHART, changes], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return parseAllDocuments(text).flatMap((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      const value = document.toJS() as RenderedDocument | null;
      return value === null ? [] : [value];
    });
  }
}
