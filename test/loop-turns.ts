/** How long some work keeps the event loop, as processor time of this thread: other programs on the machine do not count. */
export interface LoopUse {
  /** Microseconds of the longest turn of the loop. */
  readonly longest: number;
  readonly all: number;
}

export async function loopUseOf(work: () => Promise<unknown>): Promise<LoopUse> {
  let [all, longest, isOver] = [0, 0, false];
  const measure = async () => {
    for (let before = process.threadCpuUsage(); !isOver; before = process.threadCpuUsage()) {
      await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.threadCpuUsage(before);
      all += user + system;
      longest = Math.max(longest, user + system);
    }
  };
  const measured = measure();
  await work();
  isOver = true;
  await measured;
  return { longest, all };
}
