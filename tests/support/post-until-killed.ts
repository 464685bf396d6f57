/**
 * Counts posts of a generated day into the given database, batch by batch, until it is killed: like
 * a collector that reads a numbered list of posts and stores its position.
 */
import { SocialService } from '../../src/gathering/social-service.ts';
import { openOffchainPlane } from '../../src/store/offchain/offchain-plane.ts';
import { STORY_NOW_MS, STORY_TOKENS, storyEvents, storyMood } from './post-story.ts';

const [path = '', batchText = '40'] = process.argv.slice(2);
const database = openOffchainPlane(path);
const service = new SocialService({
  database,
  nowMs: () => STORY_NOW_MS,
  score: storyMood,
  modelVersion: 'story',
});
service.track(STORY_TOKENS);
const events = storyEvents();
const size = Number(batchText);
for (let at = Number(service.cursor('story') ?? '0'); at < events.length; at += size) {
  await service.emit(events.slice(at, at + size));
  const kept = service.keepCursor('story', String(at + size));
  while (service.flush());
  await kept;
  process.stdout.write('.');
}
database.close();
process.stdout.write('end');
