import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SERVING_MONITORING } from '../../src/bridge/serving-monitoring.ts';
import type { MonitoredPart } from '../../src/model/monitoring.ts';
import { BACKUP_MONITORING } from '../../src/service/backups/backup-monitoring.ts';
import { CHAIN_MONITORING } from '../../src/service/chain-monitoring.ts';
import { CLUSTER_MONITORING } from '../../src/service/cluster-monitoring.ts';
import { STORE_MONITORING } from '../../src/service/store-monitoring.ts';
import { dashboardOf } from './dashboards.ts';
import { rulesOf, ruleTestsOf } from './rules.ts';
import { withRunbook } from './runbook.ts';
import { apiTokenDashboard, sqlTokenDashboard } from './token-dashboards.ts';
import { toYaml, type Yaml } from './yaml.ts';

export const MONITORED_PARTS: readonly MonitoredPart[] = [
  CHAIN_MONITORING,
  STORE_MONITORING,
  BACKUP_MONITORING,
  CLUSTER_MONITORING,
  SERVING_MONITORING,
];

export const RULES_FILE = 'deploy/prometheus/rules/mintscope.yml';
export const RULE_TESTS_FILE = 'deploy/prometheus/rule-tests/mintscope.yml';
export const PROMETHEUS_FILE = 'deploy/prometheus/prometheus.yml';
/** Not provisioned: they need plugins, a data source with a key, and a token. */
export const TOKEN_DASHBOARDS = {
  api: 'deploy/grafana/token-dashboards/mintscope-token-api.json',
  clickhouse: 'deploy/grafana/token-dashboards/mintscope-token-clickhouse.json',
} as const;
const OPERATIONS_FILE = 'docs/operations.md';
const HEAD = '# Made by "npm run monitoring" from the descriptions beside the metrics.\n';

/** The names of the services in deploy/compose.yaml; those that do not run have no address. */
const PROMETHEUS: Yaml = {
  global: { scrape_interval: '15s', evaluation_interval: '15s' },
  rule_files: ['rules/*.yml'],
  scrape_configs: [
    {
      job_name: 'mintscope',
      dns_sd_configs: [
        { names: ['demo', 'live'], type: 'A', port: 8_080, refresh_interval: '15s' },
      ],
    },
  ],
};

const DATASOURCES: Yaml = {
  apiVersion: 1,
  datasources: [
    {
      name: 'Prometheus',
      type: 'prometheus',
      access: 'proxy',
      url: 'http://prometheus:9090',
      isDefault: true,
    },
  ],
};

const PROVIDERS: Yaml = {
  apiVersion: 1,
  providers: [
    {
      name: 'mintscope',
      folder: 'Mintscope',
      type: 'file',
      options: { path: '/var/lib/grafana/dashboards' },
    },
  ],
};

/** All generated files, by path below the project. */
export function monitoringFiles(): ReadonlyMap<string, string> {
  const dashboards = MONITORED_PARTS.map((part): [string, string] => [
    `deploy/grafana/dashboards/mintscope-${part.id}.json`,
    `${JSON.stringify(dashboardOf(part), null, 2)}\n`,
  ]);
  const provisioning = 'deploy/grafana/provisioning';
  return new Map([
    ...dashboards,
    [TOKEN_DASHBOARDS.api, `${JSON.stringify(apiTokenDashboard(), null, 2)}\n`],
    [TOKEN_DASHBOARDS.clickhouse, `${JSON.stringify(sqlTokenDashboard(), null, 2)}\n`],
    [`${provisioning}/datasources/prometheus.yml`, HEAD + toYaml(DATASOURCES)],
    [`${provisioning}/dashboards/mintscope.yml`, HEAD + toYaml(PROVIDERS)],
    [PROMETHEUS_FILE, HEAD + toYaml(PROMETHEUS)],
    [RULES_FILE, HEAD + toYaml(rulesOf(MONITORED_PARTS))],
    [RULE_TESTS_FILE, HEAD + toYaml(ruleTestsOf(MONITORED_PARTS, '../rules/mintscope.yml'))],
    [OPERATIONS_FILE, withRunbook(contentOf(OPERATIONS_FILE), MONITORED_PARTS)],
  ]);
}

/** A file of the project. */
export function contentOf(path: string): string {
  return readFileSync(resolve(path), 'utf8');
}
