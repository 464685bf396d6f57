/**
 * The thread in which detectors are tried: off the fold, so that they can neither delay nor change
 * it. It has no access to the store, to keys and to files.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openDetector } from '../sandbox/open-detector.ts';
import { judgeBeside } from './judge-beside.ts';
import type { FromShadow, ShadowCase, ShadowStart } from './shadow-messages.ts';

if (parentPort !== null) serve(parentPort, workerData as ShadowStart);

function serve(port: MessagePort, { packages, judging }: ShadowStart): void {
  const onJudging = (place: number) => void Atomics.store(judging, 0, place);
  const post = (message: FromShadow) => port.postMessage(message);
  const detectors = packages.map((source, place) => {
    onJudging(place);
    return openDetector(source);
  });
  onJudging(-1);
  const identities = detectors.map(({ name, version, hash }) => ({ name, version, hash }));
  post({ kind: 'opened', detectors: identities });
  port.on('message', ({ text }: ShadowCase) => {
    post(judgeBeside(detectors, text, { nowMs: () => performance.now(), onJudging }));
  });
}
