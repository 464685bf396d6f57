/**
 * Counts posts of a made-up day into the database named, batch by batch, until somebody kills it:
 * what a collector does that reads a numbered list of posts and keeps how far it got.
 */
import { SocialDesk } from '../../src/gathering/social-desk.ts';
import { openOffchainPlane } from '../../src/store/offchain/offchain-plane.ts';
import { STORY_NOW_MS, STORY_TOKENS, storyMood, storyNews } from './post-story.ts';

const [path = '', batchText = '40'] = process.argv.slice(2);
const database = openOffchainPlane(path);
const desk = new SocialDesk({
  database,
  nowMs: () => STORY_NOW_MS,
  score: storyMood,
  modelVersion: 'story',
});
desk.track(STORY_TOKENS);
const news = storyNews();
const size = Number(batchText);
for (let at = Number(desk.cursor('story') ?? '0'); at < news.length; at += size) {
  await desk.tell(news.slice(at, at + size));
  const kept = desk.keepCursor('story', String(at + size));
  while (desk.flush());
  await kept;
  process.stdout.write('.');
}
database.close();
process.stdout.write('end');
