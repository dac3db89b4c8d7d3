/** A version of Gemfile.lock may carry the platform it was built for: `1.13.6-x86_64-linux`. */
export type GemVersion = { readonly version: string; readonly platform: string | null };

const PLATFORM =
  /^([0-9][0-9A-Za-z.]*)-((?:x86|x64|x32|i[3-6]86|arm|aarch64|universal|java|jruby|mswin|mingw|powerpc|ppc|s390|sparc|riscv|ruby|truffleruby|dalvik).*)$/;

export function parseGem(text: string): GemVersion {
  const found = PLATFORM.exec(text);
  return found === null
    ? { version: text, platform: null }
    : { version: found[1] ?? text, platform: found[2] ?? null };
}
