import { packedLengthMax, packWords, unpackWords } from './packed-bytes.ts';
import { firstWordOf, META, metaOf, type PageFrames } from './page-frames.ts';
import { PAGE_BYTES, PAGE_WORDS } from './page-layout.ts';
import type { PageStore } from './page-store.ts';

/** The pages of frames as they are stored: packed. Without a store every page begins as zeros. */
export class StoredPages {
  private readonly frames: PageFrames;
  private readonly store: PageStore | null;
  /** Pages that were read from the store so far. */
  loadedPages = 0;
  private readonly packed = new Uint8Array(packedLengthMax(PAGE_BYTES));

  constructor(frames: PageFrames, store: PageStore | null) {
    this.frames = frames;
    this.store = store;
  }

  /** Fills a frame with its page. Returns false if what is stored is no page. */
  read(frame: number): boolean {
    const { words, meta } = this.frames.slabOf(frame);
    const start = firstWordOf(frame);
    const at = metaOf(frame);
    const [space, page] = [meta[at + META.space] as number, meta[at + META.page] as number];
    const packed = this.store?.read(space, page) ?? null;
    if (packed !== null) {
      this.loadedPages++;
      return unpackWords(packed, words, start, PAGE_WORDS);
    }
    words.fill(0, start, start + PAGE_WORDS);
    return true;
  }

  /** Stores a page as its newest contents, or as of the open checkpoint. It is then as stored. */
  write(frame: number, isAsOf: boolean): void {
    const { words, meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const [space, page] = [meta[at + META.space] as number, meta[at + META.page] as number];
    const length = packWords(words, firstWordOf(frame), PAGE_WORDS, this.packed);
    const packed = this.packed.subarray(0, length);
    if (isAsOf) this.store?.putAsOf(space, page, packed);
    else this.store?.put(space, page, packed);
    meta[at + META.dirty] = 0;
  }
}
