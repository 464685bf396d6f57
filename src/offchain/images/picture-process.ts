/** The process that opens untrusted pictures: it has no secrets, and is killed when it hangs. */
import { blockLoaders } from './hash-picture.ts';
import { openPicture } from './open-picture.ts';

/** One picture at a time; the answer has the number of its request. */
export interface PictureRequest {
  readonly number: number;
  readonly bytes: Uint8Array;
}

blockLoaders();
process.on('message', (question: PictureRequest) => {
  void answer(question);
});
process.on('disconnect', () => process.exit(0));

async function answer({ number, bytes }: PictureRequest): Promise<void> {
  const outcome = await openPicture(bytes);
  process.send?.({ number, outcome });
}
