import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClickHouseHttp } from './clickhouse-http.ts';

/** The cluster that the engine's configuration describes. */
export const CLUSTER = 'prod';

/**
 * One shard with one replica, which is this engine: a query of a Distributed table then runs in it.
 * `tcp_port` is what the engine recognises itself by; nothing listens there.
 */
const CONFIGURATION = `<clickhouse>
  <tcp_port>9000</tcp_port>
  <macros><shard>1</shard><replica>first</replica></macros>
  <remote_servers>
    <${CLUSTER}>
      <shard>
        <internal_replication>true</internal_replication>
        <replica><host>127.0.0.1</host><port>9000</port></replica>
      </shard>
    </${CLUSTER}>
  </remote_servers>
</clickhouse>
`;

/**
 * A cluster of one shard behind ClickHouse's HTTP interface: every table is a Distributed one over
 * its local one, as in a real cluster. What needs a server is replaced: `ON CLUSTER` is left out,
 * and local tables are not replicated. Runs in a process of its own, since the engine reads its
 * configuration once in a process.
 */
export async function startClickHouseCluster(
  folder: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const child = fork(import.meta.filename, [folder], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The statement as an engine without a keeper can run it. */
function withoutKeeper(sql: string): string {
  return sql
    .replace(` ON CLUSTER ${CLUSTER}`, '')
    .replace(/ReplicatedReplacingMergeTree\('[^']*', '\{replica\}', /, 'ReplacingMergeTree(');
}

async function serve(folder: string): Promise<void> {
  const file = join(folder, 'cluster.xml');
  writeFileSync(file, CONFIGURATION);
  const { url, close } = await startClickHouseHttp(join(folder, 'engine'), {
    connectionArgs: [`--config-file=${file}`],
    rewrite: withoutKeeper,
  });
  process.once('disconnect', () => void close());
  process.send?.(url);
}

const [folder] = process.argv.slice(2);
if (process.send !== undefined && process.argv[1] === import.meta.filename && folder !== undefined)
  await serve(folder);
