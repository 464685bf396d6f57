import { type FollowedParts, followedItems, openFollowed } from './followed-market.ts';

/**
 * A process that follows a small market with snapshots every few slots, and kills itself while it
 * writes the second: `folding` when the shadow fold is about to get the log, `whole` when the file
 * is complete but has no name yet, `named` when it is named and some more slots were folded.
 * Arguments: the folder, the moment.
 */
const [dataDir = '', moment = ''] = process.argv.slice(2);
const kill = () => process.kill(process.pid, 'SIGKILL');
let readings = 0;
let names = 0;
const parts: FollowedParts = {
  onShadowReads: () => {
    if (++readings === 2 && moment === 'folding') kill();
  },
  onNaming: () => {
    if (++names === 2 && moment === 'whole') kill();
  },
};
const { ingestion } = await openFollowed(dataDir, parts);
let slots = 0;
await ingestion.ingest(followedItems(), {
  writeAfterMs: 0,
  onSlot: () => {
    if (names === 2 && ++slots === 5) kill();
  },
});
