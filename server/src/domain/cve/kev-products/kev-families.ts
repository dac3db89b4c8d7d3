/** Product families that many entries of the KEV catalog mean: the name of a family, and its CPE names as `vendor:product`. */
export const KEV_FAMILIES: Readonly<Record<string, string>> = {
  windows: `microsoft:windows microsoft:windows_nt microsoft:windows_2000 microsoft:windows_xp microsoft:windows_vista
    microsoft:windows_7 microsoft:windows_8 microsoft:windows_8.1 microsoft:windows_rt microsoft:windows_rt_8.1
    microsoft:windows_10 microsoft:windows_10_1507 microsoft:windows_10_1511 microsoft:windows_10_1607
    microsoft:windows_10_1703 microsoft:windows_10_1709 microsoft:windows_10_1803 microsoft:windows_10_1809
    microsoft:windows_10_1903 microsoft:windows_10_1909 microsoft:windows_10_2004 microsoft:windows_10_20h2
    microsoft:windows_10_21h1 microsoft:windows_10_21h2 microsoft:windows_10_22h2 microsoft:windows_11
    microsoft:windows_11_21h2 microsoft:windows_11_22h2 microsoft:windows_11_23h2 microsoft:windows_11_24h2
    microsoft:windows_11_25h2 microsoft:windows_server microsoft:windows_server_2003 microsoft:windows_2003_server
    microsoft:windows_server_2008 microsoft:windows_server_2012 microsoft:windows_server_2016
    microsoft:windows_server_2019 microsoft:windows_server_2022 microsoft:windows_server_2022_23h2
    microsoft:windows_server_23h2 microsoft:windows_server_2025`,
  office: 'microsoft:office microsoft:365_apps microsoft:office_long_term_servicing_channel',
  sharepoint:
    'microsoft:sharepoint microsoft:sharepoint_server microsoft:sharepoint_enterprise_server microsoft:sharepoint_foundation',
  chrome: 'google:chrome google:chromium microsoft:edge_chromium',
  java: 'oracle:jre oracle:jdk oracle:java_se oracle:java sun:jre sun:jdk',
  reader:
    'adobe:acrobat adobe:acrobat_reader adobe:acrobat_dc adobe:acrobat_reader_dc adobe:reader adobe:acrobat_and_reader',
  mali: `arm:mali_gpu_kernel_driver arm:midgard_gpu_kernel_driver arm:bifrost_gpu_kernel_driver
    arm:valhall_gpu_kernel_driver arm:avalon_gpu_kernel_driver arm:5th_gen_gpu_architecture_kernel_driver`,
  asa: 'cisco:adaptive_security_appliance_software cisco:adaptive_security_appliance',
  ftd: 'cisco:firepower_threat_defense cisco:firepower_threat_defense_software cisco:secure_firewall_threat_defense',
  ios: 'cisco:ios cisco:ios_software',
  iosxe: 'cisco:ios_xe cisco:ios_xe_software',
  iosxr: 'cisco:ios_xr cisco:ios_xr_software',
  netscaler: `citrix:netscaler_application_delivery_controller citrix:application_delivery_controller
    citrix:application_delivery_controller_firmware citrix:netscaler_adc citrix:netscaler_gateway
    citrix:netscaler_gateway_firmware citrix:gateway citrix:gateway_firmware`,
  bigip: `f5:big-ip f5:big-ip_access_policy_manager f5:big-ip_advanced_firewall_manager
    f5:big-ip_advanced_web_application_firewall f5:big-ip_analytics f5:big-ip_application_acceleration_manager
    f5:big-ip_application_security_manager f5:big-ip_domain_name_system f5:big-ip_fraud_protection_service
    f5:big-ip_global_traffic_manager f5:big-ip_link_controller f5:big-ip_local_traffic_manager
    f5:big-ip_policy_enforcement_manager`,
  csa: 'ivanti:endpoint_manager_cloud_services_appliance ivanti:cloud_services_appliance',
  telerik:
    'telerik:ui_for_asp.net_ajax progress:telerik_ui_for_asp.net_ajax progress:ui_for_asp.net_ajax telerik:telerik_ui_for_asp.net_ajax',
  sma100: `sonicwall:sma_100_firmware sonicwall:sma100 sonicwall:sma_200_firmware sonicwall:sma_210_firmware
    sonicwall:sma_400_firmware sonicwall:sma_410_firmware sonicwall:sma_500v_firmware sonicwall:sma_500v`,
  zimbra: `synacor:zimbra_collaboration_suite zimbra:collaboration zimbra:zimbra_collaboration_suite zimbra:zimbra
    zimbra:collaboration_server zimbra:zimbra_collaboration`,
};
