#pragma once

#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

/// The functions that every plugin is given. None of them lets an exception out: errors are noted in the context.
const mt_host& host_table() noexcept;

}  // namespace minitensor
