/* create_plugin refuses. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("create_fails", "")

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  plugin->info = &kInfo;
  return host->set_error(context, MT_ERROR_PLUGIN, MT_STRING("no licence"));
}
