const SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, and its checksum after it. */
const FRAME_BYTES = 12;
const ANIMATION_CONTROL = 0x6163544c;
const IMAGE_DATA = 0x49444154;

/**
 * Whether a PNG is animated: an `acTL` chunk before its image data has its number of frames.
 * libvips does not support it and would read the fallback image.
 */
export function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = SIGNATURE_BYTES;
  while (at + FRAME_BYTES <= bytes.length) {
    const lengthBytes = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (type === ANIMATION_CONTROL) return lengthBytes >= 4 && view.getUint32(at + 8) > 1;
    if (type === IMAGE_DATA) return false;
    at += FRAME_BYTES + lengthBytes;
  }
  return false;
}
