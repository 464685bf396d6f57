import type { Config } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';
import type { ServerLocation } from '../store/data-plane.ts';

type Named = Pick<
  Config,
  | 'clickhouseUrl'
  | 'clickhouseUser'
  | 'clickhousePassword'
  | 'clickhouseDatabase'
  | 'clickhouseCluster'
>;

/**
 * The configured ClickHouse server, or null for the engine embedded in the data folder. Throws
 * UsageError for a cluster without a server.
 */
export function clickHouseServerOf(config: Named): ServerLocation | null {
  const { clickhouseUrl: url, clickhouseCluster: cluster } = config;
  if (url !== null) {
    const { clickhouseUser: username, clickhouseDatabase: database } = config;
    return { url, username, password: config.clickhousePassword ?? '', database, cluster };
  }
  if (cluster === null) return null;
  throw new UsageError(
    `--clickhouse-cluster ${cluster} needs a server of that cluster: name one with --clickhouse-url.`,
  );
}
