import { adblockList } from './adblock.ts';
import { bindConf } from './bind.ts';
import { csvList } from './csv.ts';
import { csvRanges } from './csv-ranges.ts';
import { dnsmasqConf } from './dnsmasq.ts';
import { esetRepository, isEsetFile } from './eset.ts';
import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { freeText } from './free-text.ts';
import { hashComment } from './hash-comment.ts';
import { hostsFile } from './hosts.ts';
import { jsonList } from './json.ts';
import { BROKEN_JSON } from './json-stream.ts';
import { isTrailFile, maltrailTrails } from './maltrail.ts';
import { markdownDigests } from './markdown-digests.ts';
import { mispFeed } from './misp-feed.ts';
import { mispGalaxy } from './misp-galaxy.ts';
import { mispWarninglist } from './misp-warninglist.ts';
import { ndjsonList } from './ndjson.ts';
import { plainList } from './plain-list.ts';
import { rpzZone } from './rpz.ts';
import { sectionedList } from './sectioned.ts';
import { stalkerwareYaml } from './stalkerware-yaml.ts';
import { stixBundle } from './stix.ts';
import { suricataRules } from './suricata.ts';
import { ublacklist } from './ublacklist.ts';
import { unboundConf } from './unbound.ts';

export function openFormat(spec: FormatSpec, sink: Sink): FormatParser {
  switch (spec.kind) {
    case 'plain':
      return plainList(sink, spec);
    case 'hosts':
      return hostsFile(sink, spec);
    case 'adblock':
      return adblockList(sink, spec);
    case 'ublacklist':
      return ublacklist(sink, spec);
    case 'dnsmasq':
      return dnsmasqConf(sink, spec);
    case 'unbound':
      return unboundConf(sink, spec);
    case 'rpz':
      return rpzZone(sink, spec);
    case 'bind':
      return bindConf(sink, spec);
    case 'suricata':
      return suricataRules(sink, spec);
    case 'csv':
      return csvList(sink, spec);
    case 'csv-ranges':
      return csvRanges(sink, spec);
    case 'ndjson':
      return ndjsonList(sink, spec);
    case 'json':
      return jsonList(sink, spec);
    case 'stix':
      return stixBundle(sink);
    case 'misp-warninglist':
      return mispWarninglist(sink);
    case 'misp-feed':
      return mispFeed(sink, spec);
    case 'misp-galaxy':
      return mispGalaxy(sink);
    case 'hash-comment':
      return hashComment(sink, spec);
    case 'sectioned':
      return sectionedList(sink, spec);
    case 'maltrail':
      return maltrailTrails(sink, spec);
    case 'markdown-digests':
      return markdownDigests(sink);
    case 'eset':
      return esetRepository(sink);
    case 'stalkerware-yaml':
      return stalkerwareYaml(sink);
    case 'free-text':
      return freeText(sink, spec);
  }
}

/**
 * Whether the format reads this file of an archive. `readSnapshotFile` skips the others without decoding them, so that
 * a picture in a repository does not make the whole archive "not text".
 */
export function wantsMember(spec: FormatSpec, path: string): boolean {
  switch (spec.kind) {
    case 'maltrail':
      return path === '' || isTrailFile(path, spec.folder);
    case 'eset':
      return path === '' || isEsetFile(path);
    case 'markdown-digests':
      return path === '' || /\.md$/i.test(path);
    default:
      return true;
  }
}

/** Rejections that mean that the whole file is truncated or something else, even if there is only one. */
const WHOLE_FILE_REASONS: ReadonlySet<string> = new Set(Object.values(BROKEN_JSON));

/** True when a file with this rejection must not replace the last good one, at any share of rejects. */
export const isWholeFileBroken = (reason: string): boolean => WHOLE_FILE_REASONS.has(reason);
