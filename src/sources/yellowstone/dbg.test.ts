import { createRequire } from 'node:module';
const h2 = createRequire(import.meta.url)('node:http2');
let cs: any = null; const ss: any[] = []; const sst: any[] = []; const cst: any[] = [];
const orig = h2.connect; h2.connect = (...a: any[]) => { cs = orig(...a); const r = cs.request; cs.request = function (...b: any[]) { const st = r.apply(this, b); cst.push(st); return st; }; return cs; };
const os = h2.createServer; h2.createServer = (...a: any[]) => { const s = os(...a); s.on('session', (x: any) => { ss.push(x); x.on('stream', (st: any) => sst.push(st)); }); return s; };
import { test } from 'vitest';
import { setTimeout } from 'node:timers/promises';
import { YellowstoneChain } from '/work/main/tests/support/yellowstone-chain.ts';
import { createGrpcClient } from '/work/main/src/sources/yellowstone/grpc-client.ts';
import { encodeSubscribe } from '/work/main/src/sources/yellowstone/subscribe-request.ts';
test('x', async () => {
  const chain = new YellowstoneChain({ pingIntervalMs: 0, limits: {replaySlots: 280}}, { transfersPerSlot: 60 });
  const port = await chain.face.listen(0);
  chain.advance(60);
  const client = createGrpcClient({ url: ('http://127.0.0.1:'+port), token: null, messageBytesMax: 2 ** 26 });
  const stream = await client.open(encodeSubscribe({ mode: 'blocks', fromSlot: 1002 as never }));
  let n = 0, bytes = 0;
  (async () => { for (;;) { const r = await stream.read(); if (r.kind === 'ended') { console.log(r); return; } n++; bytes += r.bytes.length; } })();
  await setTimeout(1500);
  const call = (stream as any).call;
  console.log(n, bytes, call.readableLength, call.readableFlowing, call._readableState.needReadable, call._readableState.reading, call._readableState.emittedReadable);
  const sub = [...(chain.face as any).subscribers][0];
  console.log(sub.isBlocked, sub.isOver, sub.call.writableLength, sub.call.writableNeedDrain, sub.queue.length, !!sub.replay);

  console.log(JSON.stringify({client: cs?.state, server: ss.map((x) => x.state)}));
  for (const st of cst) console.log('client stream', st.isPaused(), st.readableLength, st.readableFlowing, st._readableState.needReadable, st._readableState.reading, JSON.stringify(st.state), cs.socket?.bytesRead);
  for (const st of sst) console.log('server stream', st.writableLength, st.writableNeedDrain, st._writableState.writing, JSON.stringify(st.state), ss[0].socket?.bytesWritten, ss[0].socket?.writableLength, ss[0].socket?.bufferSize);
  stream.close(); chain.face.close();
});
