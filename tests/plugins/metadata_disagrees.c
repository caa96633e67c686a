/* What create_plugin says has another name than the section in the file. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("metadata_disagrees", "")

static mt_plugin_info info;

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  info = kInfo;
  info.name = MT_STRING("somebody_else");
  plugin->info = &info;
  return MT_OK;
}
