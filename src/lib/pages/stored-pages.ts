import { packBytes, packedLengthMax, unpackBytes } from './packed-bytes.ts';
import { firstByteOf, META, metaOf, type PageFrames } from './page-frames.ts';
import { PAGE_BYTES } from './page-layout.ts';
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
    const { bytes, meta } = this.frames.slabOf(frame);
    const start = firstByteOf(frame);
    const at = metaOf(frame);
    const [space, page] = [meta[at + META.space] as number, meta[at + META.page] as number];
    const packed = this.store?.read(space, page) ?? null;
    if (packed !== null) {
      this.loadedPages++;
      return unpackBytes(packed, bytes, start, PAGE_BYTES);
    }
    bytes.fill(0, start, start + PAGE_BYTES);
    return true;
  }

  /** Stores a page as its newest contents, or as of the open checkpoint. It is then as stored. */
  write(frame: number, isAsOf: boolean): void {
    const { bytes, meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const [space, page] = [meta[at + META.space] as number, meta[at + META.page] as number];
    const length = packBytes(bytes, firstByteOf(frame), PAGE_BYTES, this.packed);
    const packed = this.packed.subarray(0, length);
    if (isAsOf) this.store?.putAsOf(space, page, packed);
    else this.store?.put(space, page, packed);
    meta[at + META.dirty] = 0;
  }
}
