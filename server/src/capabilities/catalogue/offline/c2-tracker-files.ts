import type { OfflineFile } from '../catalogue-row.ts';
import { part } from './offline-file.ts';

const FOLDER = 'feeds/c2-tracker';

const FAMILIES: readonly (readonly [file: string, family: string])[] = [
  ['Ares_RAT_C2_IPs', 'Ares RAT'],
  ['AsyncRAT_IPs', 'AsyncRAT'],
  ['Brute_Ratel_C4_IPs', 'Brute Ratel C4'],
  ['BurpSuite_IPs', 'BurpSuite'],
  ['Caldera_C2_IPs', 'Caldera'],
  ['Cobalt_Strike_C2_IPs', 'Cobalt Strike'],
  ['Covenant_C2_IPs', 'Covenant'],
  ['DarkComet_Trojan_IPs', 'DarkComet'],
  ['DcRAT_IPs', 'DcRAT'],
  ['Gh0st_RAT_Trojan_IPs', 'Gh0st RAT'],
  ['GoPhish_IPs', 'GoPhish'],
  ['Hak5_Cloud_C2_IPs', 'Hak5 Cloud'],
  ['Havoc_C2_IPs', 'Havoc'],
  ['Hookbot_IPs', 'Hookbot'],
  ['Metasploit_Framework_C2_IPs', 'Metasploit Framework'],
  ['MobSF_IPs', 'MobSF'],
  ['Mozi_Botnet_IPs', 'Mozi'],
  ['Mythic_C2_IPs', 'Mythic'],
  ['NanoCore_RAT_Trojan_IPs', 'NanoCore RAT'],
  ['NetBus_Trojan_IPs', 'NetBus'],
  ['NimPlant_C2_IPs', 'NimPlant'],
  ['Orcus_RAT_Trojan_IPs', 'Orcus RAT'],
  ['PANDA_C2_IPs', 'PANDA'],
  ['Quasar_RAT_IPs', 'Quasar RAT'],
  ['RedGuard_C2_IPs', 'RedGuard'],
  ['Remcos_RAT_IPs', 'Remcos RAT'],
  ['Sectop_RAT_IPs', 'Sectop RAT'],
  ['ShadowPad_IPs', 'ShadowPad'],
  ['Sliver_C2_IPs', 'Sliver'],
  ['Supershell_C2_IPs', 'Supershell'],
  ['Unam_Web_Panel_IPs', 'Unam Web Panel'],
  ['Villain_C2_IPs', 'Villain'],
  ['Viper_C2_IPs', 'Viper'],
  ['Vshell_C2_IPs', 'Vshell'],
  ['XMRig_Monero_Cryptominer_IPs', 'XMRig Monero Cryptominer'],
  ['XtremeRAT_Trojan_IPs', 'XtremeRAT'],
  ['njRAT_Trojan_IPs', 'njRAT'],
];

/** 37 files, one for each tool, and one with all entries. The former come first, so that entries keep their family. */
export const C2_TRACKER_FILES: readonly OfflineFile[] = [
  ...FAMILIES.map(([file, family]) => part(`${FOLDER}/${file}.txt`, 'c2-tracker', { family })),
  part(`${FOLDER}/all.txt`, 'c2-tracker'),
];
