/** The result, or `otherwise` when the work fails or takes longer; a late result is dropped. */
export function within<T>(work: Promise<T>, timeMaxMs: number, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), timeMaxMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      () => {
        clearTimeout(timer);
        resolve(otherwise);
      },
    );
  });
}
