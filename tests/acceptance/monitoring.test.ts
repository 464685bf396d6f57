import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  contentOf,
  MONITORED_PARTS,
  monitoringFiles,
  PROMETHEUS_FILE,
  RULE_TESTS_FILE,
  RULES_FILE,
} from '../../scripts/monitoring/files.ts';
import { createMetricFamilies } from '../../src/api/http/metrics.ts';
import { monotonicClock } from '../../src/lib/clock.ts';
import { RelayCounts } from '../../src/relay/relay-counts.ts';
import {
  BackupSchedule,
  type BackupScheduleOptions,
} from '../../src/service/backups/backup-schedule.ts';
import { exposeIngester, type MeasuredIngester } from '../../src/service/ingester-metrics.ts';
import { exposeRelay, type MeasuredRelay } from '../../src/service/relay-metrics.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';

const START_MS = 300_000;
/** Made by Prometheus itself for each target. */
const OF_PROMETHEUS = new Set(['up']);

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** An ingester has metrics of its own, and none of the service's. */
const NEW_INGESTER: MeasuredIngester = {
  status: {
    ...{ isWriting: false, lastSeq: 0, finalSlot: null, headSlot: null, failure: null },
    ...{ appended: 0, takeovers: 0, refused: 0 },
  },
  usage: null,
  source: null,
};

/** Nor has a node without a state any of these. */
const NEW_RELAY: MeasuredRelay = {
  counts: new RelayCounts(),
  replicas: { all: [], seenSlot: null },
  connections: { size: 0, refused: 0 },
};

/** A service that stores no backups has none of these either. */
const NO_BACKUPS: BackupScheduleOptions = {
  everyMs: 60_000,
  newest: async () => null,
  store: () => Promise.reject(new Error('nothing is stored')),
  stop: async () => undefined,
  mayStore: async () => false,
  onStored: () => undefined,
  onFailed: () => undefined,
  clock: monotonicClock,
  wallMs: Date.now,
};

/** All names in an expression that look like metrics, without the suffixes of histograms. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:mintscope|process|nodejs)_[a-z0-9_]+\b|\bup\b/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
}

const expressions = MONITORED_PARTS.flatMap(({ alerts, panels }) => [
  ...alerts.map(({ expression }) => expression),
  ...panels.flatMap(({ queries }) => queries.map(({ expression }) => expression)),
]);

test('dashboards, rules and runbook are what the descriptions beside the metrics make', () => {
  for (const [path, text] of monitoringFiles()) {
    expect(contentOf(path), `${path}: npm run monitoring`).toBe(text);
  }
});

test('every alert has a runbook entry at the anchor that it names', () => {
  const headings = contentOf('docs/operations.md').match(/^### .*$/gm) ?? [];
  const anchors = new Set(headings.map((heading) => heading.slice(4).toLowerCase()));
  const named = [...contentOf(RULES_FILE).matchAll(/docs\/operations\.md#([a-z-]+)/g)];
  const alerts = MONITORED_PARTS.flatMap((part) => part.alerts);
  expect(named.length).toBe(alerts.length);
  expect(named.filter(([, anchor = '']) => !anchors.has(anchor))).toEqual([]);
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
});

describe('the metrics of a running service', () => {
  let service: RunningCommand;
  let exposed: Set<string>;
  let page: string;

  beforeAll(async () => {
    service = new RunningCommand(['start', '--port', '0', '--data-dir', temporaryFolder()]);
    const [, url] = await service.shows(/listens on (http:\S+);/, START_MS);
    page = await (await fetch(`${url}/metrics`)).text();
    const families = createMetricFamilies();
    exposeIngester(families, NEW_INGESTER);
    const ofRelay = createMetricFamilies();
    exposeRelay(ofRelay, NEW_RELAY);
    const ofBackups = createMetricFamilies();
    new BackupSchedule(NO_BACKUPS).expose(ofBackups);
    const others = [families, ofRelay, ofBackups].map((each) => each.render());
    const pages = [page, ...(await Promise.all(others))].join('\n');
    exposed = new Set([...pages.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
  }, START_MS);

  afterAll(async () => {
    service.process.kill('SIGKILL');
    await service.finished;
  });

  test('contain every metric that a dashboard or a rule names', () => {
    const named = new Set(expressions.flatMap(metricsIn));
    expect(named.size).toBeGreaterThan(30);
    const unknown = [...named].filter((name) => !OF_PROMETHEUS.has(name) && !exposed.has(name));
    expect(unknown).toEqual([]);
  });

  test('say which build runs', () => {
    expect(page).toMatch(
      /^mintscope_build_info\{version="\d+\.\d+\.\d+",commit="([0-9a-f]{40}|unknown)",node_version="v\d+\.\d+\.\d+"\} 1$/m,
    );
  });
});

// Without the tool of Prometheus the runner names these tests as skipped; .ci/run installs it.
describe.skipIf(!hasPromtool)('promtool (Debian package prometheus)', () => {
  test('accepts the rules and the configuration', () => {
    execFileSync('promtool', ['check', 'rules', RULES_FILE], { stdio: 'pipe' });
    execFileSync('promtool', ['check', 'config', PROMETHEUS_FILE], { stdio: 'pipe' });
  });

  test('sees every alert fire on its series, and stay quiet on the others', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', RULE_TESTS_FILE], {
      encoding: 'utf8',
    });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test('rejects an expression that is none, so that the checks above can fail', () => {
    const rules = contentOf(RULES_FILE).replace(' == 1"', ' == == 1"');
    const { status } = spawnSync('promtool', ['check', 'rules', '/dev/stdin'], { input: rules });
    expect(status).not.toBe(0);
  });
});

if (!hasPromtool) {
  process.stderr.write('promtool is not installed: the alert rules are not tested here\n');
}
