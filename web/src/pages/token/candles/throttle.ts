/** Calls at once, and then at most once in `everyMs`, the last time included. */
export function throttle(
  everyMs: number,
  act: () => void,
): { readonly call: () => void; readonly end: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isWanted = false;
  const call = () => {
    if (timer !== null) {
      isWanted = true;
      return;
    }
    act();
    timer = setTimeout(() => {
      timer = null;
      if (!isWanted) return;
      isWanted = false;
      call();
    }, everyMs);
  };
  return {
    call,
    end: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
