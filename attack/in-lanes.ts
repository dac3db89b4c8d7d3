/** Does `work` so many times, with at most `atOnce` of them running. */
export async function inLanes(
  times: number,
  atOnce: number,
  work: (nth: number) => Promise<void>,
): Promise<void> {
  let left = times;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work(left);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
