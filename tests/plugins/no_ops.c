/* A plugin without ops and layers. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("no_ops", "")

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  plugin->info = &kInfo;
  return MT_OK;
}
