/**
 * Loaded before a command by `NODE_OPTIONS=--import`: off-chain facts may be gathered from the
 * address in LOCAL_WEB, on this machine, which stands for the internet.
 */
import { GatheringThread } from '../../src/gathering/gathering-thread.ts';

const { LOCAL_WEB: address = '' } = process.env;
const start = Reflect.get(GatheringThread.prototype, 'start');

Reflect.set(GatheringThread.prototype, 'start', function startAllowed(this: object): void {
  Object.assign(Reflect.get(this, 'options').settings, { allowedPrivate: [address] });
  start.call(this);
});
