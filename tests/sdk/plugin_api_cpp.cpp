#include "plugin_api.inc"
