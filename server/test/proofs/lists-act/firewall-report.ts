/** What the process in the namespace of the firewall is told to do. */
export type FirewallOrder = {
  readonly program: 'nftables' | 'ipset' | 'iptables';
  /** One file, or for iptables one of each family. */
  readonly files: readonly string[];
  readonly sources: readonly string[];
};

export type FirewallReport = {
  readonly seconds: number;
  readonly reloadSeconds: number;
  readonly peakMb: number;
  /** Entries that the kernel has, after the first load and after the second. */
  readonly loaded: readonly number[];
  /** Packets of the test that reached the machine, before any filter. */
  readonly arrived: number;
  /** Packets that the rule dropped, by its own counter. */
  readonly dropped: number;
  /** The sources of the packets that a program behind the filter received. */
  readonly received: readonly string[];
  readonly log: string;
};

/** The two machines: the firewall, and the neighbour that sends from any address. */
export const LINK = {
  firewall: { v4: '10.77.0.1', v6: 'fd77::1', mac: '02:00:00:00:77:01' },
  neighbour: { v4: '10.77.0.2', v6: 'fd77::2', mac: '02:00:00:00:77:02' },
  port: 7_700,
} as const;
